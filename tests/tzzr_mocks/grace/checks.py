"""Marks which of the forty conformance checks of runpod.md §14 a test carries out, and runs tests both ways."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from tzzr_mocks.network.virtual import new_virtual_loop

F = TypeVar("F", bound=Callable[..., Any])

WAYS = ["direct", pytest.param("socket", marks=[pytest.mark.enable_socket, pytest.mark.slow])]


def both_ways(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test in process, and over a loopback socket; on virtual time both, so that thirty minutes cost nothing.

    The octets are real, the time is not: a virtual loop lets a socket have its say before it moves its time.
    """

    @functools.wraps(test)
    def run(**given: Any) -> None:
        with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
            runner.run(test(**given))

    marked: Callable[..., None] = pytest.mark.parametrize("way", WAYS)(run)
    return marked


def check(*numbers: int) -> Callable[[F], F]:
    """This test carries out these checks."""

    def mark(test: F) -> F:
        test.checks = numbers  # type: ignore[attr-defined]  # what test_checks.py reads in the source
        return test

    return mark
