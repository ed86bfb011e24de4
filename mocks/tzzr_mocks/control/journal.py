"""The journal: every exchange of a world's fakes, in the order in which the requests arrived."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tzzr_mocks.control.asgi import Message, Scope
from tzzr_mocks.control.entry import Entry, Kept
from tzzr_mocks.control.exchange import Exchange
from tzzr_mocks.control.near import Wanted, near_misses
from tzzr_mocks.control.occasion import Occasion
from tzzr_mocks.control.redaction import Redaction

BODY_CAP = 64 * 1024
"""Characters of a body that the journal keeps."""
LENGTH_CAP = 10_000
"""Exchanges that the journal keeps; older ones are dropped, and counted."""

Listener = Callable[[Exchange], None]


class Journal:
    """Exchanges, without secrets. ``cap`` is in characters of a body, ``length`` in exchanges."""

    def __init__(self, *, cap: int = BODY_CAP, length: int = LENGTH_CAP, redaction: Redaction | None = None) -> None:
        self.redaction = redaction or Redaction()
        self.cap, self.length = cap, length
        self.dropped = 0
        self._entries: deque[Entry] = deque()
        self._read: dict[int, Exchange] = {}
        self._next = 1
        self._listeners: list[Listener] = []

    def begin(self, scope: Scope, occasion: Occasion, at: float, faults: Iterable[str] = ()) -> Entry:
        """Enter a request that has arrived, and the sentences of the faults that act on it; to be given to `finish`."""
        entry = Entry(self._next, scope, occasion, at, self.cap)
        self._next += 1
        entry.blame(faults)
        self._entries.append(entry)
        if len(self._entries) > self.length:
            self._read.pop(self._entries.popleft().number, None)
            self.dropped += 1
        self._tell(entry)
        return entry

    def finish(self, entry: Entry, start: Message | None, body: bytes, complete: bool, duration: float) -> None:
        """Enter the reply: the ASGI start message (None when there was none), the body, whether it was complete."""
        entry.finish(start, Kept(body, self.cap), complete, duration)
        self._read.pop(entry.number, None)
        self._tell(entry)

    def _tell(self, entry: Entry) -> None:
        if self._listeners:
            exchange = entry.read(self.cap, self.redaction)
            for listener in list(self._listeners):
                listener(exchange)

    def _exchange(self, entry: Entry) -> Exchange:
        if entry.number not in self._read:
            self._read[entry.number] = entry.read(self.cap, self.redaction)
        return self._read[entry.number]

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell ``listener`` of each exchange as it begins and ends; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def of(self, service: str) -> list[Exchange]:
        """The exchanges of one service."""
        return [exchange for exchange in self if exchange.service == service]

    def find(self, **attributes: Any) -> list[Exchange]:
        """The exchanges that have each of these attributes (`tzzr_mocks.control.near.Wanted` says which)."""
        wanted = Wanted(**attributes)
        return [exchange for exchange in self if wanted.fits(exchange)]

    def saw(self, route: str | None = None, *, times: int | None = None, **attributes: Any) -> list[Exchange]:
        """The exchanges wanted; at least one, or just ``times``.

        Raises:
            AssertionError: there are more or fewer; the message shows the nearest ones and what differs.
        """
        wanted = Wanted(route=route, **attributes)
        found = [exchange for exchange in self if wanted.fits(exchange)]
        if len(found) == times or (times is None and found):
            return found
        expected = "at least 1" if times is None else str(times)
        heading = f"expected {expected} × {wanted.describe()}, saw {len(found)}"
        raise AssertionError("\n".join([heading, *near_misses(wanted, list(self))]))

    def __iter__(self) -> Iterator[Exchange]:
        return iter([self._exchange(entry) for entry in self._entries])

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        """Forget every exchange."""
        self._entries.clear()
        self._read.clear()
        self.dropped = 0
