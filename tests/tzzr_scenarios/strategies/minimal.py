"""What a strategy shrinks to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st

# The phase that explains a failure tries other values afterwards, and `find` would return one of those.
_SHRINKING = settings(
    database=None,
    derandomize=True,
    max_examples=1000,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


def minimal(strategy: st.SearchStrategy[Any], holds: Callable[[Any], Any] = lambda _: True) -> Any:
    """The plainest value that ``holds`` is true of, as a failing test would show it."""
    return find(strategy, lambda value: bool(holds(value)), settings=_SHRINKING)
