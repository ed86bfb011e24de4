"""Bugs to be found by a search: each is planted at one seam, and a user would notice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from tests.tzzr_scenarios.mutants import MUTANTS
from tzzr_mcp.services.breaker import Breaker
from tzzr_mocks.grace.kept import Kept

Patch = pytest.MonkeyPatch
Bug = Callable[[Patch], None]


def never_half_opens(patch: Patch) -> None:
    """What has failed five times is never tried again."""
    patch.setattr(Breaker, "_left", lambda breaker, opened_at: 1.0)


def runs_twice(patch: Patch) -> None:
    """GRACE forgets what it has computed."""

    async def once(kept: Kept[Any], key: str, seconds: float, compute: Callable[[], Awaitable[Any]]) -> Any:
        return await compute()

    patch.setattr(Kept, "once", once)


BUGS: Mapping[str, Bug] = {
    "GRACE computes what it has computed": runs_twice,
    **{mutant.told: mutant.apply for mutant in MUTANTS if "kept answer" in mutant.told},
}
"""By what is wrong; the last one is a mutant of the server that scenario files catch as well."""
