"""Searches drive a world by a `Journey`, in the words of scenario files; what a search finds becomes such a file."""

from tzzr_scenarios.search.finds import Finds
from tzzr_scenarios.search.journey import Broken, Journey

__all__ = ["Broken", "Finds", "Journey"]
