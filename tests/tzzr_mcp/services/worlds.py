"""What the tests of the services share: seams on virtual time, an upstream on a respx router, answers of GRACE."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx
import respx
from pydantic import SecretStr

from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.translation import request_for, serialise, text_payload
from tzzr_mcp.seams import Deadline, Dice, LoopClock, Seams, Trace
from tzzr_mcp.services.http import Door
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.upstream import Upstream

START = datetime(2026, 1, 4, 10, 0, tzinfo=UTC)
BASE = "http://upstream.test/v2"
TRACE_ID = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
KEY = "sk-very-secret-key-0001"

Reply = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def new_seams() -> Seams:
    clock = LoopClock(START)
    return Seams(clock, Dice(7), Trace(clock.elapsed))


def new_router() -> respx.MockRouter:
    return respx.MockRouter(base_url=BASE, assert_all_called=False, assert_all_mocked=True)


def transport(router: respx.MockRouter) -> httpx.MockTransport:
    return httpx.MockTransport(router.async_handler)


def new_upstream(
    router: respx.MockRouter | httpx.AsyncBaseTransport, seams: Seams | None = None, service: str = "grace"
) -> Upstream:
    seams = seams or new_seams()
    over = router if isinstance(router, httpx.AsyncBaseTransport) else transport(router)
    return Upstream(Door(service, BASE, seams, token=SecretStr(KEY), transport=over), seams)


def within(seconds: float, seams: Seams) -> Deadline:
    return Deadline.after(seconds, seams.clock)


def a_request(module: str = "CLASSIFIER", text: str = "Factura de la luz", **params: Any) -> Request:
    payload = {**text_payload(text), **({"params": params} if params else {})}
    return request_for(module, payload, {"lang": "es", "mode": "strict"}, trace_id=TRACE_ID, timestamp=START)


CATEGORY = {
    "category": "factura",
    "confidence": 0.75,
    "alternatives": [{"category": "contrato", "confidence": 0.25}],
}


def an_answer(
    request: Request | Mapping[str, Any], result: Mapping[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """A response to ``request`` as contract §2 has it; ``changes`` replace its top-level fields."""
    asked = request if isinstance(request, Mapping) else serialise(request)
    module = asked["routing"]["module"]
    attempts = [{"module": module, "status": "OK", "duration_ms": 12}]
    whole = {
        "contract_version": "2.1",
        "profile": asked["profile"],
        "envelope": {**asked["envelope"], "timestamp": "2026-01-04T10:00:01.000Z"},
        "routing": {"module": module, "version": "1.0", "resolved": module, "attempts": attempts},
        "status": "OK",
        "result": dict(CATEGORY if result is None else result),
        "failure": None,
        "metrics": {"duration_ms": 12, "simulated": True, "invented": False},
    }
    return {**whole, **changes}


def job(status: str, **fields: Any) -> httpx.Response:
    return httpx.Response(200, json={"id": "job-1-u1", "status": status, **fields})


async def nobody(state: JobState, text: str) -> None:
    """A listener that does not care."""


def script(*replies: Reply) -> Callable[[httpx.Request], httpx.Response]:
    """A respx side effect: the replies in turn, the last one for ever. Each answer is a fresh copy."""
    left = list(replies)

    def reply(request: httpx.Request) -> httpx.Response:
        now = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(now, Exception):
            raise now
        if callable(now):
            return now(request)
        return httpx.Response(now.status_code, headers=now.headers, content=now.content)

    return reply


class Drip(httpx.AsyncByteStream):
    """A body of ``parts`` bytes, one each ``every_s`` seconds."""

    def __init__(self, seams: Seams, every_s: float, parts: int) -> None:
        self._seams, self._every_s, self._parts = seams, every_s, parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self._parts):
            await self._seams.clock.sleep(self._every_s)
            yield b" "


class Hang(httpx.AsyncBaseTransport):
    """Never answers; counts how many wait. ``until_s`` makes it answer 200 with ``body`` after that long."""

    def __init__(self, seams: Seams, until_s: float = 1e6, body: bytes = b"{}") -> None:
        self._seams, self._until_s, self._body = seams, until_s, body
        self.seen: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(f"{request.method} {request.url.path}")
        await self._seams.clock.sleep(self._until_s)
        return httpx.Response(200, content=self._body)
