"""The stream that a run yields; reports consume it and the runner knows none of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from tzzr_mcp.seams import Event as Happening
from tzzr_mocks.control import Exchange
from tzzr_scenarios.language.load import ScenarioFile
from tzzr_scenarios.language.models import Era
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.wires import Wire

Verdict = Literal["passed", "failed", "broken", "expected", "skipped"]
"""``failed``: an expectation differs. ``broken``: it could not be carried out. ``expected``: either, and known.
``skipped``: it was not played, for a reason."""


@dataclass(frozen=True)
class StepResult:
    """One step: its place in the file, what differed, virtual seconds from begin to end.

    ``tried`` is what differed in an attempt that was not the last, ``seen`` what the client saw where it asked.
    """

    title: str
    line: int
    differences: Sequence[Difference]
    begin: float
    end: float
    tried: Sequence[Difference] = ()
    seen: Observation | None = None


@dataclass(frozen=True)
class ScenarioResult:
    """One scenario's outcome, with everything that a report may show.

    ``reason`` is why a failure was expected, or why the scenario was not played.
    """

    file: ScenarioFile
    verdict: Verdict
    steps: Sequence[StepResult]
    seed: int
    era: Era
    virtual_s: float
    trace: Sequence[Happening] = ()
    exchanges: Sequence[Exchange] = ()
    digest: str = ""
    wire: Wire = "memory"
    live: bool = False
    problem: str = ""
    reason: str = ""
    differences: Sequence[Difference] = field(default_factory=tuple)

    @property
    def title(self) -> str:
        """The scenario's sentence, and its row in brackets where it has rows."""
        sentence = self.file.scenario.scenario
        return f"{sentence} [{self.file.case}]" if self.file.case else sentence

    @property
    def fine(self) -> bool:
        """Whether the run may go on to pass."""
        return self.verdict in ("passed", "expected", "skipped")


@dataclass(frozen=True)
class RunStarted:
    """The first event."""

    files: Sequence[ScenarioFile]
    seed: int


@dataclass(frozen=True)
class ScenarioEnded:
    """One scenario is over. ``real_s`` is wall time, for people alone."""

    result: ScenarioResult
    real_s: float = 0.0


@dataclass(frozen=True)
class RunEnded:
    """The last event. ``real_s`` is wall time, for people alone."""

    results: Sequence[ScenarioResult]
    seed: int
    real_s: float

    @property
    def failed(self) -> Sequence[ScenarioResult]:
        """Everything that did not pass and was not expected to fail."""
        return [result for result in self.results if not result.fine]


Event = RunStarted | ScenarioEnded | RunEnded


class Report(Protocol):
    """Consumes the events of a run."""

    def event(self, event: Event) -> None:
        """Take note of one event."""
        ...
