"""Searches drive a world by a `Journey`, in the words of scenario files; what a search finds becomes such a file.

`tzzr_scenarios.search.finds` keeps what Hypothesis finds, and needs it (extra ``proof``).
"""

from tzzr_scenarios.search.journey import Broken, Journey

__all__ = ["Broken", "Journey"]
