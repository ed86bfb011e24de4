"""A circuit breaker: what fails again and again is left alone for a while, then tried by one request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from tzzr_mcp.seams import Seams
from tzzr_mcp.services.troubles import UNHEALTHY, Trouble, UpstreamError

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class State(StrEnum):
    """Closed lets requests through, open refuses them, half-open lets one through to see."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


Judge = Callable[[Exception], bool | None]
"""Whether what was raised counts against the one that was asked; None when it tells nothing about it."""


def by_trouble(error: Exception) -> bool | None:
    """The judge of an upstream: a request that its call's deadline ended teaches nothing."""
    if not isinstance(error, UpstreamError) or error.trouble is Trouble.DEADLINE:
        return None
    return error.trouble in UNHEALTHY


class Breaker:
    """Opens after ``threshold`` failures in a row; ``cooldown_s`` later one request at a time may try again.

    ``about`` is shown in the trace beside the service, when the breaker is not for the whole of it.
    """

    def __init__(
        self,
        service: str,
        seams: Seams,
        *,
        judge: Judge = by_trouble,
        about: Mapping[str, str] = NOTHING,
        threshold: int = 5,
        cooldown_s: float = 15.0,
    ) -> None:
        self.service = service
        self._clock = seams.clock
        self._trace = seams.trace
        self._judge = judge
        self._about = about
        self._threshold = threshold
        self._cooldown_s = cooldown_s
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def state(self) -> State:
        """What the next request would meet."""
        if self._opened_at is None:
            return State.CLOSED
        return State.OPEN if self._left(self._opened_at) > 0 else State.HALF_OPEN

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Around one request: refuses it, or learns from how it ends. One that was cancelled teaches nothing.

        Raises:
            UpstreamError: CIRCUIT_OPEN, with the seconds left.
        """
        probe = self._admit()
        try:
            yield
        except Exception as error:
            if (failed := self._judge(error)) is not None:
                self.learn(failed=failed)
            raise
        else:
            self.learn(failed=False)
        finally:
            if probe:
                self._probing = False

    def _admit(self) -> bool:
        if self._opened_at is None:
            return False
        left = self._left(self._opened_at)
        if left > 0 or self._probing:
            raise UpstreamError(self.service, Trouble.CIRCUIT_OPEN, retry_after_s=left)
        self._probing = True
        self._tell(State.HALF_OPEN)
        return True

    def _left(self, opened_at: float) -> float:
        return max(0.0, opened_at + self._cooldown_s - self._clock.monotonic())

    def learn(self, *, failed: bool) -> None:
        """Hear how one request ended, whoever made it."""
        before = self.state
        self._failures = self._failures + 1 if failed else 0
        if not failed:
            self._opened_at = None
        elif self._probing or self._failures >= self._threshold:
            self._opened_at = self._clock.monotonic()
        if (now := self.state) is not before:
            self._tell(now)

    def _tell(self, state: State) -> None:
        self._trace.record("server", "breaker", service=self.service, **self._about, state=str(state))
