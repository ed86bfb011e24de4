"""One upstream as the clients of services see it: its door, its breaker and its retries in one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar
from uuid import UUID

import httpx
from pydantic import SecretStr

from tzzr_mcp.seams import Deadline, Seams
from tzzr_mcp.services.breaker import Breaker
from tzzr_mcp.services.http import Answer, Door, Request, check
from tzzr_mcp.services.retry import Budget, Retry
from tzzr_mcp.services.seats import SEATS, Seats
from tzzr_mcp.services.troubles import Trouble, UpstreamError

T = TypeVar("T")


@dataclass(frozen=True)
class Sight:
    """How an upstream was when it was looked at; ``detail`` is a few Spanish words on one that answered."""

    latency_ms: float
    trouble: Trouble | None = None
    detail: str | None = None
    simulated: bool = False


class Upstream:
    """Asks one upstream, safely. Its clients take one of its ``seats`` for the whole of each call."""

    def __init__(self, door: Door, seams: Seams, seats: int = SEATS) -> None:
        self.door = door
        self.seams = seams
        self.seats = Seats(door.service, seats, self._tell_seats)
        self.breaker = Breaker(door.service, seams)
        self._retry = Retry(seams.clock, seams.dice.named(f"retry/{door.service}"), Budget())
        self._looks = seams.dice.named(f"look/{door.service}")

    def _tell_seats(self, taken: int) -> None:
        self.seams.trace.record("server", "seats", service=self.door.service, taken=taken)

    async def ask(self, request: Request, read: Callable[[Answer], T], deadline: Deadline, trace_id: UUID) -> T:
        """What ``read`` makes of the answer. Repeated while that may help, so the request must be safe to repeat.

        Raises:
            UpstreamError: the trouble of the last attempt, or what ``read`` raised.
        """

        def tell(number: int, error: UpstreamError, pause_s: float) -> None:
            why = {"attempt": number, "reason": str(error.trouble), "delay_s": round(pause_s, 6)}
            self.door.note("retry", request, trace_id, **request.about, **why)

        return await self._retry.run(lambda: self.once(request, read, deadline, trace_id), deadline, tell)

    async def once(self, request: Request, read: Callable[[Answer], T], deadline: Deadline, trace_id: UUID) -> T:
        """As `ask`, without a second attempt: for what is not safe to repeat.

        Raises:
            UpstreamError: as `ask`.
        """
        with self.breaker.guard():
            return read(check(self.door.service, await self.door.send(request, deadline, trace_id)))

    async def look(
        self, request: Request, deadline: Deadline, tell: Callable[[Answer], str | None] = lambda answer: None
    ) -> Sight:
        """Ask once, past the breaker, to see how the upstream is; never fails. ``tell`` makes the detail."""
        begun = self.seams.clock.monotonic()
        trouble: Trouble | None = None
        detail: str | None = None
        simulated = False
        try:
            answer = await self.door.send(request, deadline, self._looks.uuid4())
            simulated = answer.simulated
            detail = tell(check(self.door.service, answer))
        except UpstreamError as error:
            trouble = error.trouble
        return Sight(round((self.seams.clock.monotonic() - begun) * 1000, 1), trouble, detail, simulated)


class Reach(Protocol):
    """What the settings of every upstream say of the way to it."""

    base_url: str
    request_timeout_s: float
    max_calls: int


@asynccontextmanager
async def reached(
    service: str, way: Reach, token: SecretStr | None, seams: Seams, transport: httpx.AsyncBaseTransport | None
) -> AsyncIterator[Upstream]:
    """An upstream with a door of its own, which is closed in the end."""
    door = Door(service, way.base_url, seams, token=token, timeout_s=way.request_timeout_s, transport=transport)
    try:
        yield Upstream(door, seams, way.max_calls)
    finally:
        await door.aclose()
