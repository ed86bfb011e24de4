"""The surface as it is, collected once for all tests of a process."""

from __future__ import annotations

import asyncio
import copy
import functools
from collections.abc import Callable
from typing import Any

from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.surface import Change, compare
from tzzr_scenarios.surface.collected import surface

Surface = dict[str, Any]


@functools.cache
def _collected() -> Surface:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(surface())


def present() -> Surface:
    """A copy that a test may change."""
    return copy.deepcopy(_collected())


def changed(edit: Callable[[Surface], object]) -> list[Change]:
    """What an edit of the present surface means."""
    new = present()
    edit(new)
    return compare(_collected(), new)
