"""Asks cases of a Directus at some address, path and query byte for byte, and never anything that writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import httpx

from tzzr_mcp.seams import Clock
from tzzr_mocks.hst.conformance.cases import Case
from tzzr_mocks.hst.conformance.compare import differences, other_form
from tzzr_mocks.hst.conformance.slots import Slots
from tzzr_mocks.hst.conformance.verdict import Difference, Sent, Verdict

BUSY = (429, 503)
"""What a server says that wants to be asked again later; no case of the corpus was answered so."""

OWN = frozenset({"15_endpoints-081", "15_endpoints-096", "15_endpoints-098"})
"""Cases whose answers hold the server's address, or stand in the order of ids that each server draws for itself."""

_TRIES = 6
_LONGEST_PAUSE_S = 60.0

Compare = Callable[[Mapping[str, object], Sent], Sequence[Difference]]


class NoAnswer(Exception):
    """The server cannot be reached, or is busy for good; the message says which and what to do."""


class Asked(Protocol):
    """A Directus that cases can be asked of. ``base`` is its root."""

    @property
    def base(self) -> httpx.URL:
        """Where it is, or what stands for that."""
        ...

    async def ask(self, case: Case, slots: Mapping[str, str]) -> Sent:
        """Send one case's request."""
        ...


@dataclass(frozen=True)
class Target:
    """Where a Directus is, and how to reach it. ``base`` is its root, as in ``https://hst.example``."""

    base: httpx.URL
    client: httpx.AsyncClient
    clock: Clock

    async def ask(self, case: Case, slots: Mapping[str, str]) -> Sent:
        """Send one case's request; a server that is busy is asked again when it says.

        Raises:
            NoAnswer: no connection, or still busy after some tries.
            httpx.TransportError: the connection was made, and broke.
        """
        for _ in range(_TRIES):
            reply = await self._once(case, slots)
            if reply.status_code not in BUSY:
                return Sent(reply.status_code, dict(reply.headers), reply.content)
            await self.clock.sleep(_pause_s(reply))
        raise NoAnswer(
            f"{self.base} still answered {reply.status_code} to the {_TRIES}th request for {case.request['path']}; "
            "wait until it is less busy, or raise its RATE_LIMITER_POINTS"
        )

    async def _once(self, case: Case, slots: Mapping[str, str]) -> httpx.Response:
        request = httpx.Request(
            case.request["method"],
            self.base,
            headers={"accept-encoding": "identity", "user-agent": "tzzr-conform", **case.headers(slots)},
            content=case.content(slots) or None,
            extensions={"target": target(self.base, case, slots), "timeout": self.client.timeout.as_dict()},
        )
        try:
            return await self.client.send(request)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise NoAnswer(
                f"nobody answers at {self.base} ({str(error) or type(error).__name__}); {_advice(error)}"
            ) from error


def _advice(error: httpx.TransportError) -> str:
    if "WRONG_VERSION" in str(error):
        return "it does not speak TLS: is it http:// in place of https://?"
    return "is the server up, and are host and port right? Directus listens on 8055 unless told otherwise"


def target(base: httpx.URL, case: Case, slots: Mapping[str, str]) -> bytes:
    """Path and query as they go over the wire."""
    query = case.query(slots)
    path = base.path.rstrip("/") + str(case.request["path"])
    return (f"{path}?{query}" if query else path).encode()


def _pause_s(reply: httpx.Response) -> float:
    try:
        return min(float(reply.headers.get("retry-after", 1)), _LONGEST_PAUSE_S)
    except ValueError:
        return 1.0


def askable(case: Case, slots: Mapping[str, str]) -> bool:
    """Whether a case is whole, changes nothing, and all the tokens that it takes are there or can be learned."""
    return case.replayable and case.read_only and case.needs <= {*slots, "etag"}


async def verdicts(
    target: Asked, cases: Iterable[Case], tokens: Mapping[str, str], compare: Compare = differences
) -> AsyncIterator[Verdict]:
    """The verdict on every case that can be asked, one after another.

    Raises:
        NoAnswer: as `Target.ask`.
    """
    slots = Slots(tokens)
    for case in cases:
        if not askable(case, slots):
            continue
        try:
            sent = await target.ask(case, slots)
        except httpx.TransportError as error:
            told = f"the connection broke: {type(error).__name__} {error}".strip()
            yield Verdict(case, (Difference("answer", f"status {case.response['status']}", told),))
            continue
        slots.learn(case, sent.headers, sent.content)
        held_to = other_form if case.ages or case.id in OWN else compare
        yield Verdict(case, tuple(held_to(case.response, sent)))
