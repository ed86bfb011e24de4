"""One stage for all tests of the clients: they only ask, and each looks at its own requests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import pytest_socket

from tests.tzzr_mocks.grace.clients.stage import Stage, open_stage


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """The fake on a port."""
    pytest_socket.enable_socket()
    with open_stage() as running:
        yield running
