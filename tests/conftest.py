"""What every test stands on: the virtual loop, and an environment that holds no key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tzzr_mocks.network.virtual import new_virtual_loop


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Every async test and fixture on virtual time, but for those marked ``realtime``."""
    if item.get_closest_marker("realtime"):
        return {"real": asyncio.new_event_loop}
    return {"virtual": new_virtual_loop}
