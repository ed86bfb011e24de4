"""Scenario files as pytest items: ``-k``, ``--lf`` and xdist work on them as on any test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tzzr_scenarios import runner
from tzzr_scenarios.language.load import load
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.reports.terminal import failure


class ScenarioFileNode(pytest.File):
    """One file."""

    def collect(self) -> Iterator[pytest.Item]:
        """The one scenario in it."""
        yield ScenarioItem.from_parent(self, name=self.path.name.partition(".")[0])


class ScenarioFailed(Exception):
    """A scenario did not pass; the message is what the terminal report prints."""


class ScenarioItem(pytest.Item):
    """One scenario, run as a test."""

    def runtest(self) -> None:
        """Run it.

        Raises:
            FileMistakes: the file cannot be run.
            ScenarioFailed: an expectation differs.
        """
        seed = self.config.getoption("--tzzr-seed")
        settings = runner.Settings(runner.DEFAULT_SEED if seed is None else seed)
        result = runner.run_one(load(self.path, self.nodeid.partition("::")[0]), settings)
        if result.verdict != "passed":
            raise ScenarioFailed(failure(result).plain)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The scenario's own words instead of a traceback through the runner."""
        if isinstance(excinfo.value, ScenarioFailed | FileMistakes):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int, str]:
        """Where it stands."""
        return self.path, 0, f"scenario {self.name}"
