"""What happened, in order: frozen events that every part of a world records into one list.

The trace is what reports draw, what verdicts judge and what two runs of one seed are compared by. It holds nothing
that differs between machines: no address, no wall time but the world's own, no exception text from a library.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    ``at`` is seconds since the trace began, ``source`` who did it (``client``, ``server``, ``grace`` …), ``kind``
    what it was (``tool.start``, ``upstream.request``, ``fault`` …), ``details`` plain JSON values.
    """

    at: float
    source: str
    kind: str
    details: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The event as plain JSON values, time rounded to the microsecond."""
        return {"at": round(self.at, 6), "source": self.source, "kind": self.kind, **self.details}


class Trace:
    """An ordered list of events.

    ``now`` gives seconds; without one every event is at 0. Listeners are told of each event as it is recorded.
    ``keep`` is the most events that are kept, the newest ones; None keeps all.
    """

    def __init__(self, now: Callable[[], float] = lambda: 0.0, keep: int | None = None) -> None:
        self._now = now
        self._events: deque[Event] = deque(maxlen=keep)
        self._listeners: list[Callable[[Event], None]] = []

    def record(self, source: str, kind: str, **details: Any) -> Event:
        """Append one event at the present instant and return it."""
        event = Event(self._now(), source, kind, MappingProxyType(details))
        self._events.append(event)
        for listener in tuple(self._listeners):
            listener(event)
        return event

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Tell ``listener`` of every later event; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def __iter__(self) -> Iterator[Event]:
        return iter(tuple(self._events))

    def __len__(self) -> int:
        return len(self._events)

    def clear(self) -> None:
        """Forget every event."""
        self._events.clear()

    def canonical(self) -> bytes:
        """The whole trace as one JSON array: sorted keys, no blanks, UTF-8."""
        rows = [event.as_json() for event in self._events]
        return json.dumps(rows, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    def digest(self) -> str:
        """SHA-256 of the canonical form, 64 lower-case hex digits."""
        return hashlib.sha256(self.canonical()).hexdigest()


class NoTrace(Trace):
    """A trace that keeps nothing, for a server in production."""

    def record(self, source: str, kind: str, **details: Any) -> Event:
        """Tell the listeners of the event and return it, without keeping it."""
        event = Event(0.0, source, kind, details)
        for listener in tuple(self._listeners):
            listener(event)
        return event
