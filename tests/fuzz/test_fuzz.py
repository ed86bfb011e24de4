"""The session would fail: what is planted in an API is found, and what is as it is described is let through."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.fuzz.bridge import Bridge, Served
from tests.fuzz.engine import CHECKS, Verdict, fuzz
from tests.fuzz.targets import TARGETS, a_fake
from tzzr_mcp.seams import SystemClock
from tzzr_mocks.openapi import INTEGER, STRING, Json, answer, body, link, named, parameter, record

ON = {"checks": {"enabled": False, **{name: {"enabled": True} for name in CHECKS}}}
KEPT: dict[int, str] = {}


async def make(request: Request) -> Response:
    try:
        given = await request.json()
    except ValueError:
        return JSONResponse({"error": "no JSON"}, 400)
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        return JSONResponse({"error": "no name"}, 400)
    KEPT[len(KEPT)] = given["name"]
    return JSONResponse({"id": len(KEPT) - 1, "name": given["name"]})


def number_of(request: Request) -> int | None:
    text = request.path_params["number"]
    return int(text) if text.isascii() and text.isdigit() else None


async def read(request: Request) -> Response:
    number = number_of(request)
    await SystemClock().sleep(30)
    if number is None or number not in KEPT:
        return JSONResponse({"error": "not there"}, 404)
    return JSONResponse({"id": number, "name": KEPT[number]})


async def crash(request: Request) -> Response:
    raise ZeroDivisionError("planted")


async def crash_once_there_is_one(request: Request) -> Response:
    return JSONResponse({"error": "planted"}, 500) if number_of(request) in KEPT else await read(request)


async def teapot(request: Request) -> Response:
    return JSONResponse({"error": "planted"}, 418)


async def nameless(request: Request) -> Response:
    return JSONResponse({"id": 1})


async def other_type(request: Request) -> Response:
    return Response('{"id": 1, "name": "a"}', media_type="text/html")


async def quiet(request: Request) -> Response:
    logging.getLogger("planted").error("something broke", exc_info=ZeroDivisionError("planted"))
    return JSONResponse({"error": "not there"}, 404)


ITEM = record({"id": INTEGER, "name": STRING}, closed=True)
REFUSED = {status: answer("No.", record({"error": STRING})) for status in ("400", "404")}


def described() -> Json:
    """Making an item, and reading it by its number, to which making it leads."""
    leads = {"read": link("read", "reads it", number="$response.body#/id")}
    number = parameter("number", "path", "Which.", {"type": "integer", "minimum": 0})
    made = {"200": answer("It.", named("Item"), links=leads), "400": REFUSED["400"]}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Items", "version": "1"},
        "paths": {
            "/items": {
                "post": {"operationId": "make", "requestBody": body(record({"name": STRING})), "responses": made}
            },
            "/items/{number}": {
                "get": {
                    "operationId": "read",
                    "parameters": [number],
                    "responses": {"200": answer("It.", named("Item")), "404": REFUSED["404"]},
                }
            },
        },
        "components": {"schemas": {"Item": ITEM}},
    }


def verdict_on(reads: Any) -> Verdict:
    """What is found where items are read so."""
    KEPT.clear()

    @asynccontextmanager
    async def serve() -> AsyncIterator[Served]:
        yield Served(Starlette(routes=_routes(reads)), described())

    with Bridge(serve) as bridge:
        return fuzz(bridge, ON, examples=3)


def _routes(reads: Any) -> list[Route]:
    return [Route("/items", make, methods=["POST"]), Route("/items/{number}", reads)]


def test_an_api_that_is_as_it_is_described_is_let_through_and_asked_in_every_phase() -> None:
    verdict = verdict_on(read)

    assert verdict.clean, [str(find) for find in verdict.finds]
    assert {"coverage", "fuzzing", "stateful"} <= set(verdict.cases)


@pytest.mark.parametrize(
    ("reads", "checks"),
    [
        (crash, {"not_a_server_error", "never_fails_by_itself", "status_code_conformance"}),
        (crash_once_there_is_one, {"not_a_server_error", "status_code_conformance"}),
        (teapot, {"status_code_conformance"}),
        (nameless, {"response_schema_conformance"}),
        (other_type, {"content_type_conformance"}),
        (quiet, {"never_fails_by_itself"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_planted_flaw_is_found_by_its_check_with_a_request_that_shows_it(reads: Any, checks: set[str]) -> None:
    verdict = verdict_on(reads)

    assert checks <= {find.check for find in verdict.finds}
    assert {find.operation for find in verdict.finds} == {"GET /items/{number}"}
    assert all("curl -X GET" in find.curl for find in verdict.finds)
    assert all("Answered: " in find.told for find in verdict.finds)


@pytest.mark.parametrize("name", TARGETS)
def test_every_exception_says_why_and_is_about_an_operation_that_there_is(name: str) -> None:
    target = TARGETS[name]
    with Bridge(target.serve) as bridge:
        paths = bridge.served.document["paths"]

    patterns = [one.path for one in target.unfit if one.path] + list(target.skipped) + [target.repeated or "."]
    assert all(one.why for one in target.unfit)
    assert all(target.skipped.values())
    assert [pattern for pattern in patterns if not any(_found(pattern, path) for path in paths)] == []


def _found(pattern: str, path: str) -> bool:
    return re.search(pattern, path) is not None


def test_the_same_seed_makes_the_same_requests() -> None:
    def asked() -> tuple[int, Mapping[str, int]]:
        with Bridge(lambda: a_fake("context", {})) as bridge:
            verdict = fuzz(bridge, ON, examples=5)
        return bridge.requests, verdict.cases

    assert asked() == asked()
