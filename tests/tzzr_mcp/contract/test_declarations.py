"""Declarations are made when their module is imported: run anew, it declares the very same."""

from __future__ import annotations

import runpy
from types import ModuleType

import pytest

from tzzr_mcp.contract import catalogue, tools


@pytest.mark.parametrize(
    ("module", "name"),
    [(catalogue, "MODULES"), (tools, "INPUT_SCHEMAS"), (tools, "STYLES")],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_module_that_is_run_anew_declares_the_same(module: ModuleType, name: str) -> None:
    assert module.__file__ is not None
    anew = runpy.run_path(module.__file__, run_name=module.__name__)[name]
    assert repr(anew) == repr(getattr(module, name))
