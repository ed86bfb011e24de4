"""The requests in flight: bounded in number, each with its time, all of them stoppable.

A request that overruns is ended `GRACE_S` after its deadline, so that a tool which minds its deadline tells the cause
in its own words, and has time to cancel what it began upstream.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.seams import Deadline

T = TypeVar("T")

GRACE_S = 2.0


class Running:
    """Admits at most ``limit`` requests at a time; a further one is refused at once (BUSY)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._scopes: set[anyio.CancelScope] = set()
        self._idle: anyio.Event | None = None
        self._stopping = False

    def __len__(self) -> int:
        return len(self._scopes)

    @property
    def stopping(self) -> bool:
        """Whether nothing more is admitted."""
        return self._stopping

    async def within(self, deadline: Deadline, work: Callable[[], Awaitable[T]]) -> T:
        """What ``work`` returns.

        Raises:
            ContractError: BUSY, INTERNAL when the time is over, CANCELLED when the server stops meanwhile.
        """
        self._admit()
        with anyio.CancelScope(deadline=anyio.current_time() + deadline.remaining() + GRACE_S) as scope:
            self._scopes.add(scope)
            try:
                return await work()
            finally:
                self._leave(scope)
        raise ContractError(_STOPPED if self._stopping else _OVERRUN)

    def _admit(self) -> None:
        if self._stopping:
            raise ContractError(_STOPPED)
        if len(self._scopes) >= self._limit:
            text = f"El servidor ya atiende {self._limit} peticiones, su límite. Vuelva a intentarlo en unos segundos."
            raise ContractError(Failure.of(Code.BUSY, text, limit=self._limit))

    def _leave(self, scope: anyio.CancelScope) -> None:
        self._scopes.discard(scope)
        if self._idle is not None and not self._scopes:
            self._idle.set()

    async def stop(self, patience_s: float) -> None:
        """Admit nothing more, let the requests in flight finish for ``patience_s`` seconds, then cancel them."""
        self._stopping = True
        with anyio.move_on_after(patience_s):
            await self._until_idle()
        for scope in tuple(self._scopes):
            scope.cancel()
        with anyio.move_on_after(GRACE_S):
            await self._until_idle()

    async def _until_idle(self) -> None:
        if self._scopes:
            self._idle = anyio.Event()
            await self._idle.wait()


_STOPPED = Failure.of(Code.CANCELLED, "El servidor se está deteniendo y la petición quedó sin terminar.")
_OVERRUN = Failure.of(
    Code.INTERNAL, "La petición no terminó en el tiempo previsto y se abandonó. Vuelva a intentarlo más tarde."
)
