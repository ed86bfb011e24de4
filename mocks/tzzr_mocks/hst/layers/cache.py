"""The answer cache, when ``CACHE_ENABLED`` is set: GET only, per user, purged by every write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tzzr_mocks.hst.exchange import Answer, Call

Key = tuple[str, str, str]


class Cache:
    """Answers in memory for some seconds of the world's clock; ``x-cache-status`` tells whether one was found."""

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._seconds = seconds
        self._monotonic = monotonic
        self._kept: dict[Key, tuple[float, Answer]] = {}

    def find(self, call: Call) -> Answer | None:
        """A kept answer that is not too old, marked ``HIT``."""
        until, answer = self._kept.get(_key(call), (0.0, None))
        if answer is None or until <= self._monotonic():
            return None
        return replace(answer, headers={**answer.headers, "x-cache-status": "HIT"})

    def keep(self, call: Call, answer: Answer) -> None:
        """Keep an answer to a GET; any other success that changes rows purges everything."""
        if call.method == "GET" and answer.status == 200:
            self._kept[_key(call)] = (self._monotonic() + self._seconds, replace(answer, headers=dict(answer.headers)))
        elif call.method in ("POST", "PATCH", "DELETE") and answer.status < 300:
            self.clear()

    def snapshot(self) -> dict[Key, tuple[float, Answer]]:
        """Each answer with the seconds for which it is still kept."""
        now = self._monotonic()
        return {key: (until - now, answer) for key, (until, answer) in self._kept.items()}

    def restore(self, state: Mapping[Key, tuple[float, Answer]]) -> None:
        """Keep the answers of a snapshot."""
        now = self._monotonic()
        self._kept = {key: (now + left_s, answer) for key, (left_s, answer) in state.items()}

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()


def covers(call: Call) -> bool:
    """Whether answers to such a request say how they were found."""
    return call.method == "GET"


def _key(call: Call) -> Key:
    return call.account.name, call.path, call.query_string
