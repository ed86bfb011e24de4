"""How the routes about server, users, collections and fields are described: read from the table that serves them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tzzr_mocks.hst.routes.router import Route
from tzzr_mocks.hst.specs.refusals import refused
from tzzr_mocks.openapi import ANYTHING, STRING, Json, answer, body, parameter, record

HEALTH: Final = "application/health+json"
_ELSEWHERE: Final = ("/auth", "/items")
_DATA: Final = record({"data": ANYTHING}, closed=True)
_UNWRAPPED: Final = {"/server/specs/oas": record({"openapi": STRING, "paths": {"type": "object"}})}
_EXAMPLES: Final = {"collection": "tags_hst", "field": "ref", "file": "a", "scope": "system"}


def paths(routes: Iterable[Route]) -> Json:
    """Every path of the table that is not described elsewhere, and ``/server/ping``, which is answered before it."""
    found: Json = {"/server/ping": {"get": _ping()}}
    for route in (one for one in routes if not one.path.startswith(_ELSEWHERE)):
        operations = found.setdefault(route.path, {})
        for method in route.methods:
            operations.setdefault(method.lower(), _operation(method, route.path))
    return found


def _ping() -> Json:
    told = answer("The server is there.", {"type": "string", "enum": ["pong"]}, "text/html")
    return {
        "operationId": "getServerPing",
        "summary": "Tell that the server is there",
        "responses": {"200": told, **refused()},
    }


def _operation(method: str, path: str) -> Json:
    names = re.findall(r"\{(\w+)\}", path)
    words = re.findall(r"\w+", path)
    return {
        "operationId": method.lower() + "".join(word.title() for word in words),
        "summary": f"{method} {path}",
        "parameters": [*(_named(name) for name in names), *_asked(method, path)],
        **_taken(method, path),
        "security": [{}, {"Auth": []}, {"KeyAuth": []}],
        "responses": {**_answered(method, path), **refused(400, 500, 501)},
    }


def _named(name: str) -> Json:
    return {**parameter(name, "path", f"The {name}.", {**STRING, "minLength": 1}), "example": _EXAMPLES[name]}


def _asked(method: str, path: str) -> list[Json]:
    graphql = method == "GET" and path.startswith("/graphql")
    return [parameter("query", "query", "The query.", STRING, required=True)] if graphql else []


def _taken(method: str, path: str) -> Json:
    graphql = method == "POST" and path.startswith("/graphql")
    return {"requestBody": body(record({"query": STRING}), example={"query": "{ server_ping }"})} if graphql else {}


def _answered(method: str, path: str) -> Json:
    if path.startswith(("/graphql", "/server/specs/graphql")):
        return {}
    if path == "/server/health":
        return {"200": answer("How the server is.", record({"status": STRING}), HEALTH)}
    return {"200": answer("What was asked for.", _UNWRAPPED.get(path, _DATA))}
