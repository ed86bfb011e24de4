"""Marks which of the forty conformance checks of runpod.md §14 a test carries out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

F = TypeVar("F", bound=Callable[..., Any])

both_ways = pytest.mark.parametrize(
    "way", ["direct", pytest.param("socket", marks=[pytest.mark.realtime, pytest.mark.enable_socket])]
)
"""Run a test in process on virtual time, and over a loopback socket in real time."""


def check(*numbers: int) -> Callable[[F], F]:
    """This test carries out these checks."""

    def mark(test: F) -> F:
        test.checks = numbers  # type: ignore[attr-defined]  # read by test_checks.py
        return test

    return mark
