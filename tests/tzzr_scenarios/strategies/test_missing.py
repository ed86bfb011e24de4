"""Hypothesis is an optional extra: the harness never imports it, and who needs it is told how to get it."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

STARTED = """
import sys
import tzzr_scenarios.cli, tzzr_scenarios.runner, tzzr_scenarios.pytest_plugin, tzzr_scenarios.testing, tzzr_mcp.cli
print([name for name in sys.modules if name == "hypothesis"])
"""


def test_who_has_no_hypothesis_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tzzr_scenarios.strategies", raising=False)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'mcp-server-tzzr\[proof\]'"):
        importlib.import_module("tzzr_scenarios.strategies")


@pytest.mark.slow
def test_the_harness_starts_without_hypothesis() -> None:
    done = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
