"""How long a property searches, by profile (``HYPOTHESIS_PROFILE``)."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

EXAMPLES: Final = {"dev": 20, "ci": 500, "deep": 100_000}
"""Profile to the examples that a property tries there, unless it says otherwise."""


def examples(*, dev: int, ci: int) -> int:
    """Examples of a property whose cases cost much more than most, for `settings(max_examples=...)`.

    The deep search keeps the proportion that the property has in CI; every other profile counts as dev.
    """
    deep = EXAMPLES["deep"] * ci // EXAMPLES["ci"]
    return {"ci": ci, "deep": deep}.get(settings.get_current_profile_name(), dev)
