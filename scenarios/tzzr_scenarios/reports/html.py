"""The report to look at: one self-contained HTML file. Left what can be chosen, middle what happened, right one thing."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from pathlib import Path

from tzzr_mcp import __version__
from tzzr_scenarios.coverage import Coverage, reachable
from tzzr_scenarios.events import Event, RunEnded, ScenarioEnded, ScenarioResult
from tzzr_scenarios.reports.diagram import svg
from tzzr_scenarios.reports.json_lines import scenario
from tzzr_scenarios.reports.terminal import spoken, theme
from tzzr_scenarios.spelling import counted
from tzzr_scenarios.stage import Offered
from tzzr_scenarios.story import story


class HtmlReport:
    """Writes the page to ``path`` when the run ends."""

    def __init__(self, path: Path, offered: Offered) -> None:
        self.path, self.offered = path, offered
        self.coverage = Coverage()

    def event(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, ScenarioEnded):
            self.coverage.add(event.result)
        elif isinstance(event, RunEnded):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(self._page(event), encoding="utf-8")

    def _page(self, event: RunEnded) -> str:
        template = resources.files("tzzr_scenarios.reports").joinpath("page.html").read_text(encoding="utf-8")
        told = {
            "__VERSION__": escape(__version__),
            "__SUMMARY__": escape(_summary(event)),
            "__RESULTS__": _embedded([_shown(result) for result in event.results]),
            "__GRID__": _embedded(self._grid()),
        }
        for name, value in told.items():
            template = template.replace(name, value)
        return template

    def _grid(self) -> dict[str, object]:
        reach = reachable(self.offered)
        kinds = sorted({kind for each in reach.values() for kind in each})
        covered = {tool: sorted(self.coverage.grid[tool]) for tool in reach}
        return {"tools": list(reach), "kinds": kinds, "reachable": reach, "covered": covered}


def _summary(event: RunEnded) -> str:
    passed = sum(result.verdict == "passed" for result in event.results)
    virtual = spoken(sum(result.virtual_s for result in event.results))
    return (
        f"{passed} of {counted(len(event.results), 'scenario')} passed · {virtual} of virtual time · seed {event.seed}"
    )


def _shown(result: ScenarioResult) -> dict[str, object]:
    differences = [{"path": each.path, "expected": each.expected, "got": each.got} for each in result.differences]
    lines = story(result.trace)
    return {
        **{key: value for key, value in scenario(result).items() if key != "trace"},
        "file": result.file.id,
        "theme": theme(result.file.name),
        "differences": differences,
        "source": result.file.document.text,
        "story": [str(line) for line in lines],
        "diagram": svg(lines),
    }


def _embedded(value: object) -> str:
    """JSON that may stand inside a script element: nothing in it can end the element."""
    return (
        json.dumps(value, ensure_ascii=False)
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
