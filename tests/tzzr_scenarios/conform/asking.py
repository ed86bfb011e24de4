"""Asks the rules for GRACE of the fake, through a transport that makes one mistake."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import httpx

from tzzr_mcp.seams import Dice, LoopClock
from tzzr_mocks.world import World
from tzzr_scenarios.conform.grace import BOOK
from tzzr_scenarios.conform.grace.door import Line, RunPodDoor
from tzzr_scenarios.conform.grace.probe import Probe
from tzzr_scenarios.conform.judge import verdicts
from tzzr_scenarios.conform.verdict import Verdict

Json = dict[str, Any]
Kept = tuple[int, list[tuple[bytes, bytes]], bytes]


class Stopped(LoopClock):
    """Stamps every request with the same time, so that the same question is the same octets in every test."""

    def now(self) -> datetime:
        """Always the same."""
        return datetime(2026, 1, 4, 10, 15, 30, 123_000, tzinfo=UTC)


@dataclass(frozen=True)
class Mistake:
    """A service that is right but for one thing, and the rule that it breaks.

    ``asked`` changes a request before the fake sees it, ``told`` an answer before the kit does (both in place),
    ``reply`` a whole HTTP reply.
    """

    rule: str
    asked: Callable[[Json], object] | None = None
    told: Callable[[Json, Json], object] | None = None
    reply: Callable[[httpx.Request, httpx.Response], httpx.Response] | None = None

    def request(self, request: httpx.Request) -> httpx.Request:
        """The request as the fake gets it."""
        if self.asked is None or not request.content.startswith(b'{"input": {"contract'):
            return request
        body = json.loads(request.content)
        self.asked(body["input"])
        return httpx.Request(request.method, request.url, headers=_plain(request.headers), json=body)

    def response(self, request: httpx.Request, reply: httpx.Response) -> httpx.Response:
        """The reply as the kit gets it."""
        if self.reply is not None:
            reply = self.reply(request, reply)
        if self.told is None or not request.content.startswith(b'{"input": {"contract'):
            return reply
        body = reply.json()
        output = body.get("output")
        response = output[-1] if isinstance(output, list) else output
        if isinstance(response, dict):
            self.told(json.loads(request.content)["input"], response)
        return httpx.Response(reply.status_code, json=body)


def _plain(headers: httpx.Headers) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name in ("authorization", "host")}


RIGHT: Final = Mistake("")
_KEPT: dict[tuple[str, bytes], Kept] = {}
"""What the fake answered to ``/runsync``, for the tests that ask the same: it takes no job twice."""


class Mistaken(httpx.AsyncBaseTransport):
    """The way to the fake, with the mistake in it."""

    def __init__(self, way: httpx.AsyncBaseTransport, mistake: Mistake) -> None:
        self._way, self._mistake = way, mistake

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Ask the fake, or tell again what it answered."""
        await request.aread()
        asked = self._mistake.request(request)
        return self._mistake.response(request, await self._answered(asked))

    async def _answered(self, request: httpx.Request) -> httpx.Response:
        mark = (str(request.url), request.content)
        if mark in _KEPT:
            status, headers, content = _KEPT[mark]
            return httpx.Response(status, headers=headers, content=content)
        reply = await self._way.handle_async_request(request)
        content = await reply.aread()
        if request.url.path.endswith("/runsync"):
            _KEPT[mark] = (reply.status_code, reply.headers.raw, content)
        return reply


@asynccontextmanager
async def probing(mistake: Mistake = RIGHT) -> AsyncIterator[Probe]:
    """A probe of the fake, which makes a mistake."""
    async with (
        World() as world,
        httpx.AsyncClient(transport=Mistaken(world.transport, mistake), timeout=3600) as client,
    ):
        base, key = f"{world.environment['GRACE_BASE_URL']}/grace", world.environment["RUNPOD_API_KEY"]
        line = Line(base, client, world.seams.clock, key)
        yield Probe(RunPodDoor(line), line, Stopped(datetime(2026, 1, 4, tzinfo=UTC)), Dice("conform"))


async def judged(probe: Probe) -> list[Verdict]:
    """The verdict on every rule."""
    return [verdict async for verdict in verdicts(probe, BOOK, changes=True)]


def broken(judged: list[Verdict]) -> list[str]:
    """The ids of the rules that are broken."""
    return [verdict.rule for verdict in judged if verdict.outcome == "failed"]
