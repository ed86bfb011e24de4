"""Scenario files as pytest items: ``-k``, ``--lf`` and xdist work on them as on any test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tzzr_scenarios import runner
from tzzr_scenarios.language.load import ScenarioFile, load_each
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.reports.terminal import failure


class ScenarioFileNode(pytest.File):
    """One file."""

    def collect(self) -> Iterator[pytest.Item]:
        """The scenario in it, or one for each of its rows; a file that cannot be read is an item that fails."""
        name = self.path.name.partition(".")[0]
        try:
            loaded = load_each(self.path, self.nodeid)
        except FileMistakes as wrong:
            yield ScenarioItem.from_parent(self, name=name, loaded=wrong)
            return
        for file in loaded:
            yield ScenarioItem.from_parent(self, name=f"{name}[{file.case}]" if file.case else name, loaded=file)


class ScenarioFailed(Exception):
    """A scenario did not pass; the message is what the terminal report prints."""


class ScenarioItem(pytest.Item):
    """One scenario, run as a test. ``loaded`` is the scenario, or why there is none."""

    def __init__(self, *, loaded: ScenarioFile | FileMistakes, **more: Any) -> None:
        super().__init__(**more)
        self.loaded = loaded

    def runtest(self) -> None:
        """Run it.

        Raises:
            FileMistakes: the file cannot be run.
            ScenarioFailed: an expectation differs.
        """
        if isinstance(self.loaded, FileMistakes):
            raise self.loaded
        seed = self.config.getoption("--tzzr-seed")
        settings = runner.Settings(runner.DEFAULT_SEED if seed is None else seed)
        result = runner.run_one(self.loaded, settings)
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
