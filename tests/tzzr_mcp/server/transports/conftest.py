"""A signal that the server under test does not take fails the test, and not the run of all tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType

import pytest


@pytest.fixture
def caught_signals() -> Iterator[None]:
    """SIGTERM and SIGINT that come while nobody handles them are errors of the test that sent them."""

    def nobody(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"nobody handles {signal.Signals(number).name}")

    kept = {number: signal.signal(number, nobody) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, former in kept.items():
        signal.signal(number, former)
