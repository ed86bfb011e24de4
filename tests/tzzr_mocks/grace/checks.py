"""Marks which of the forty conformance checks of runpod.md §14 a test carries out, and runs tests both ways."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from tzzr_mocks.network.virtual import new_virtual_loop

F = TypeVar("F", bound=Callable[..., Any])

WAYS = ["direct", pytest.param("socket", marks=[pytest.mark.realtime, pytest.mark.enable_socket])]
LOOPS = {"direct": new_virtual_loop, "socket": asyncio.new_event_loop}


def both_ways(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test in process on virtual time, and over a loopback socket in real time.

    The loop goes by the parameter, which pytest-asyncio does not see when it chooses one: so it is chosen here.
    """

    @functools.wraps(test)
    def run(**given: Any) -> None:
        with asyncio.Runner(loop_factory=LOOPS[given["way"]]) as runner:
            runner.run(test(**given))

    marked: Callable[..., None] = pytest.mark.parametrize("way", WAYS)(run)
    return marked


def check(*numbers: int) -> Callable[[F], F]:
    """This test carries out these checks."""

    def mark(test: F) -> F:
        test.checks = numbers  # type: ignore[attr-defined]  # what test_checks.py reads in the source
        return test

    return mark
