"""The coverage report: one line behind the summary, or the whole grid."""

from __future__ import annotations

from rich.console import Console

from tzzr_scenarios.coverage import Coverage, line, table
from tzzr_scenarios.events import Event, RunEnded, ScenarioEnded
from tzzr_scenarios.stage import Offered


class CoverageReport:
    """Prints what the run covered. ``grid`` prints the table of fault kinds by tools as well."""

    def __init__(self, console: Console, offered: Offered, *, grid: bool = False) -> None:
        self.console, self.offered, self.grid = console, offered, grid
        self.coverage = Coverage()

    def event(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, ScenarioEnded):
            self.coverage.add(event.result)
        elif isinstance(event, RunEnded):
            if self.grid:
                self.console.print("\n".join(table(self.coverage, self.offered)), markup=False, soft_wrap=True)
            self.console.print(f"  coverage {line(self.coverage, self.offered)}", markup=False, soft_wrap=True)
