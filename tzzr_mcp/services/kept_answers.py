"""Answers of GRACE that are kept: the same question again costs nothing, and the same one twice at once is asked once.

Only modules whose answer is a function of the question are kept, and only answers that are whole: not degraded, not
invented. The key is the contract's idempotency key, which says the question and nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.contract.request import Request
from tzzr_mcp.seams import Deadline, Seams
from tzzr_mcp.services.answers import Answer
from tzzr_mcp.services.cache import Store
from tzzr_mcp.services.failures import failure
from tzzr_mcp.services.flights import Flight, Flights, OutOfTime
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.http import encode
from tzzr_mcp.services.runpod import Listener

DETERMINISTIC: Final = frozenset({"EMBEDDINGS", "FIELD_EXTRACTOR", "LANG_DETECT", "HASHER"})
"""Modules of the catalogue that compute. The others generate, or walk a chain of engines that answer differently."""


@dataclass(frozen=True)
class Keeping:
    """What is kept, where, and for how many seconds. ``realm`` tells apart GRACEs that share a store."""

    store: Store
    ttl_s: float
    realm: str
    modules: Collection[str] = DETERMINISTIC

    def key(self, request: Request) -> str:
        """Where the answer to ``request`` lies."""
        return hashlib.sha256(f"{self.realm} {request.envelope.idempotency_key}".encode()).hexdigest()


class KeptAnswers:
    """Asks GRACE what is not kept."""

    def __init__(self, grace: Grace, keeping: Keeping, seams: Seams) -> None:
        self._grace = grace
        self._keeping = keeping
        self._seams = seams
        self._flights: Flights[Answer] = Flights()

    async def run(self, request: Request, deadline: Deadline, listener: Listener) -> Answer:
        """As `Grace.run`, from what is kept where it can be.

        Raises:
            ContractError: as `Grace.run`.
        """
        if request.routing.module not in self._keeping.modules:
            return await self._grace.run(request, deadline, listener)
        key = self._keeping.key(request)
        kept = read(await self._keeping.store.get(key))
        if kept is not None:
            self._note("hit", request)
            return kept
        while (flight := self._flights.under_way(key)) is not None:
            self._note("joined", request)
            try:
                return await self._riding(flight, request, deadline, listener)
            except ContractError as error:
                if error.failure.code is not Code.GRACE_DEADLINE or deadline.passed():
                    raise  # else it was the deadline of whoever began it, and this call has time left
        self._note("miss", request)
        flight = self._flights.depart(key, lambda tell: self._asked(key, request, deadline, tell), deadline)
        return await self._riding(flight, request, deadline, listener)

    async def _riding(self, flight: Flight[Answer], request: Request, deadline: Deadline, listener: Listener) -> Answer:
        try:
            return await flight.ride(deadline, listener)
        except OutOfTime:
            raise ContractError(failure(Code.GRACE_DEADLINE, request.routing.module)) from None

    async def _asked(self, key: str, request: Request, deadline: Deadline, listener: Listener) -> Answer:
        answer = await self._grace.run(request, deadline, listener)
        if not answer.degraded and not answer.invented:
            await self._keeping.store.put(key, written(answer, self._seams.clock.now()), self._keeping.ttl_s)
        return answer

    def _note(self, outcome: str, request: Request) -> None:
        module, trace_id = request.routing.module, request.envelope.trace_id
        self._seams.trace.record("server", "cache", outcome=outcome, module=module, trace_id=trace_id)


def written(answer: Answer, at: datetime) -> bytes:
    """An answer as it is kept: one JSON object in UTF-8, with the instant at which GRACE gave it."""
    plain = {"module": answer.module, "resolved": answer.resolved, "result": dict(answer.result)}
    told = {"attempts": list(answer.attempts), "simulated": answer.simulated, "duration_ms": answer.duration_ms}
    return encode({**plain, **told, "at": at.isoformat()})


def read(value: bytes | None) -> Answer | None:
    """The answer in what `written` made; None for anything else."""
    if value is None:
        return None
    try:
        kept: dict[str, Any] = json.loads(value)
        at = datetime.fromisoformat(kept.pop("at"))
        answer = Answer(status="OK", invented=False, **kept)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return replace(answer, kept_since=at)
