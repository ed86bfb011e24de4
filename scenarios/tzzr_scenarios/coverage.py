"""What a run has covered: tools, resources, prompts, fault kinds, and the grid of tools × faults with its holes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tzzr_mcp.contract.catalogue import MODULES, TOOLS, module_of
from tzzr_mocks.control import KINDS, Point
from tzzr_scenarios.events import ScenarioResult
from tzzr_scenarios.stage import Offered

_TOOL_SERVICE = {module.tool: "grace" for module in MODULES.values() if module.tool}
_OTHER_TOOLS = {"buscar_tags": "hst", "obtener_tag": "hst"}
_SERVICES = {**_TOOL_SERVICE, **_OTHER_TOOLS}
_BEYOND_A_CALL = ("webhook", "runsync", "wait_out", "stream_cut_60s")
"""Kinds whose names begin so act on what no tool call meets: the server asks for neither webhooks nor waits, and holds
no answer for a minute."""
_OF_A_STREAM = "stream"
"""Kinds whose names begin so act on what only the tools meet that write a long text."""
_SHARED = "faults"
"""Where the fault kinds are that any service may have; what a service's own folder has, only it does."""


@dataclass
class Coverage:
    """Names that were met; the grid maps a tool to the fault kinds that fired during one of its calls."""

    tools: set[str] = field(default_factory=set)
    resources: set[str] = field(default_factory=set)
    prompts: set[str] = field(default_factory=set)
    faults: set[str] = field(default_factory=set)
    grid: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, result: ScenarioResult) -> None:
        """Count what one scenario met."""
        calls: dict[str, str] = {}
        for event in result.trace:
            details = event.details
            if event.kind == "tool.start":
                calls[str(details.get("trace_id"))] = str(details["tool"])
                self.tools.add(str(details["tool"]))
            elif event.kind == "fault":
                self._fault(str(details["fault"]), calls.get(str(details.get("trace_id")), ""))
            elif event.kind == "request" and event.source == "client":
                self._request(str(details["verb"]), str(details["subject"]))

    def _fault(self, kind: str, tool: str) -> None:
        self.faults.add(kind)
        if tool:
            self.grid[tool].add(kind)

    def _request(self, verb: str, subject: str) -> None:
        if verb == "read":
            self.resources.add(subject)
        elif verb == "prompt":
            self.prompts.add(subject)


@dataclass(frozen=True)
class Hole:
    """A fault kind that never fired during a call of a tool that it could reach."""

    tool: str
    kind: str


def reachable(offered: Offered) -> dict[str, list[str]]:
    """Each tool, and the fault kinds that one of its calls could meet."""
    return {tool: _kinds(tool, _SERVICES[tool]) for tool in offered.tools if tool in _SERVICES}


def service_of(tool: str) -> str:
    """The service that a tool asks; KeyError for a tool that asks none."""
    return _SERVICES[tool]


def writes(tool: str) -> bool:
    """Whether a tool shows a long text while it is written, to clients that ask for progress."""
    return tool in TOOLS and module_of(tool).written is not None


def _kinds(tool: str, service: str) -> list[str]:
    return sorted(
        name
        for name, kind in KINDS.items()
        if (not kind.services or service in kind.services)
        and not name.startswith(_BEYOND_A_CALL)
        and (writes(tool) or not name.startswith(_OF_A_STREAM))
        and (kind.point is not Point.MODULE or service == "grace")
        and _home(kind.__module__) in (_SHARED, service)
    )


def _home(module: str) -> str:
    """The part of the fakes that a fault kind is written in: that of one service, or the shared one."""
    return module.split(".")[1]


def holes(coverage: Coverage, offered: Offered) -> list[Hole]:
    """What of the grid is not covered, in order."""
    grid = reachable(offered)
    return [Hole(tool, kind) for tool, kinds in grid.items() for kind in kinds if kind not in coverage.grid[tool]]


def line(coverage: Coverage, offered: Offered) -> str:
    """Coverage on one line."""
    grid = reachable(offered)
    size = sum(len(kinds) for kinds in grid.values())
    left = len(holes(coverage, offered))
    read = {template for uri in coverage.resources if (template := _resource(uri, offered.resources))}
    parts = [
        f"{len(coverage.tools & set(offered.tools))}/{len(offered.tools)} tools",
        f"{len(read)}/{len(offered.resources)} resources",
        f"{len(coverage.prompts & set(offered.prompts))}/{len(offered.prompts)} prompts",
        f"{len(coverage.faults)}/{len({kind for kinds in grid.values() for kind in kinds} | coverage.faults)} faults",
        f"grid {size - left}/{size}" + (f" ({left} holes: tzzr run --grid)" if left else ""),
    ]
    return " · ".join(parts)


def _resource(uri: str, known: Sequence[str]) -> str | None:
    """The resource or template that a URI belongs to."""
    fitting = [name for name in known if name == uri or ("{" in name and uri.startswith(name.partition("{")[0]))]
    return fitting[0] if fitting else None


def table(coverage: Coverage, offered: Offered) -> Iterable[str]:
    """The grid as text: one line per fault kind, one column per tool."""
    grid: Mapping[str, Sequence[str]] = reachable(offered)
    kinds = sorted({kind for kinds in grid.values() for kind in kinds})
    width = max((len(kind) for kind in kinds), default=0)
    yield " " * width + "  " + " ".join(tool[:6].ljust(6) for tool in grid)
    for kind in kinds:
        marks = (_mark(kind, tool, grid, coverage) for tool in grid)
        yield f"{kind:<{width}}  {' '.join(mark.ljust(6) for mark in marks)}".rstrip()


def _mark(kind: str, tool: str, grid: Mapping[str, Sequence[str]], coverage: Coverage) -> str:
    if kind not in grid[tool]:
        return "·"
    return "✓" if kind in coverage.grid[tool] else "—"
