"""Back-pressure: so many calls at a time may be about one upstream, and a further one is told at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from tzzr_mcp.services.troubles import Trouble, UpstreamError

SEATS: Final = 128
"""Calls that may be about one upstream at a time, where no setting says so."""


class Seats:
    """``limit`` calls at a time. A call sits from its first request to its last, whatever it waits for in between.

    ``tell`` hears how many sit, whenever that changes.
    """

    def __init__(self, service: str, limit: int, tell: Callable[[int], None] = lambda taken: None) -> None:
        self._service = service
        self._limit = limit
        self._tell = tell
        self._used = 0

    def __len__(self) -> int:
        return self._used

    @contextmanager
    def taken(self) -> Iterator[None]:
        """One seat, for one call.

        Raises:
            UpstreamError: BUSY, none is free. Nobody waits for one: a queue here would only hide the load.
        """
        if self._used >= self._limit:
            raise UpstreamError(self._service, Trouble.BUSY)
        self._seat(1)
        try:
            yield
        finally:
            self._seat(-1)

    def _seat(self, more: int) -> None:
        self._used += more
        self._tell(self._used)
