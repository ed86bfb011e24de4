"""The words for how a turn ends are those of the gateway itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import tzzr_mcp.gateway
from tzzr_mcp.gateway.events import Stopped
from tzzr_mcp.gateway.models.failures import Code
from tzzr_scenarios.language.chat_ends import ERRORS, STOPPED

NOT_OF_A_TURN = {"RESOURCE_NOT_FOUND"}


def codes_of_the_gateway() -> Iterator[str]:
    """Every text of its own modules that looks like a code, except names of settings."""
    for file in Path(tzzr_mcp.gateway.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isupper():
                yield node.value


def test_a_turn_ends_as_the_gateway_says() -> None:
    assert get_args(Stopped) == STOPPED


def test_the_errors_are_those_that_the_gateway_tells() -> None:
    told = {word for word in codes_of_the_gateway() if not word.startswith("TZZR_")}
    assert set(get_args(Code)) <= set(ERRORS)
    assert set(ERRORS) - set(get_args(Code)) <= told
    codes = {word for word in told if "_" in word and word.replace("_", "").isalpha()}
    assert codes - NOT_OF_A_TURN <= set(ERRORS)
