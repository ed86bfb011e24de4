"""Transport equivalence: the same files over every transport in both eras, with the same results.

The first cell is the measure: in memory, in the newer era. In every other cell each step must show the client the same,
and each service must see the same requests. Over stdio the server is a process of its own, in real time: what is only of
its moment is left out of the comparison (`wires.UNTIMED`, `passing.masked`), and what would take long is skipped.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from tzzr_scenarios import events, runner, verdicts
from tzzr_scenarios.language.load import ScenarioFile
from tzzr_scenarios.language.models import ParallelStep, all_steps
from tzzr_scenarios.matchers import MISSING, Difference, shown
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.passing import masked
from tzzr_scenarios.stage import ERAS, Era
from tzzr_scenarios.wires import IN_REAL_TIME, UNTIMED, WIRES, Wire

DIFFERS: Mapping[str, str] = {
    "elapsed": "a transport may take time of its own; a scenario bounds what matters by within or takes",
    "meta.durationMs": "the same, as the server measures it",
    "meta.traceId": "ids are drawn in the order in which requests arrive",
    "meta.io.modelcontextprotocol/serverInfo": "part of the newer protocol era alone",
}
"""What of an observation may differ between cells, each with the reason. Nothing else may.

Of a scenario with `parallel` steps only its own expectations are held: which of several requests comes first is the
transport's business, and everything that is drawn by dice follows from it.
"""

ERA_CODES: Mapping[int, int] = {-32002: -32602}
"""Error codes of the older era, each with the one that the newer era gives instead: a resource that is not there."""


def run(
    scenario_files: Sequence[ScenarioFile], settings: runner.Settings, wall: Callable[[], float]
) -> Iterator[events.Event]:
    """Run each scenario in every cell. ``settings`` gives the seed; eras and transports are all there are."""
    begun = wall()
    yield events.RunStarted([file for file in scenario_files for _ in cells(file)], settings.seed)
    results: list[events.ScenarioResult] = []
    for file in scenario_files:
        before = wall()
        for result in _played(file, settings):
            results.append(result)
            yield events.ScenarioEnded(result, wall() - before)
            before = wall()
    yield events.RunEnded(results, settings.seed, wall() - begun)


def cells(file: ScenarioFile) -> list[tuple[Era, Wire]]:
    """The eras and transports that a scenario is played in; the first is the measure."""
    own = file.scenario.given.era
    return [(era, wire) for era in ((own,) if own else ERAS) for wire in WIRES]


def _played(file: ScenarioFile, settings: runner.Settings) -> Iterator[events.ScenarioResult]:
    measure: events.ScenarioResult | None = None
    for era, wire in cells(file):
        result = runner.run_one(file, replace(settings, era=era, wire=wire))
        if measure is None:
            measure = result
            yield result
        else:
            yield compared(measure, result)


def compared(measure: events.ScenarioResult, result: events.ScenarioResult) -> events.ScenarioResult:
    """The result with everything in which it differs from the measure."""
    if {"broken", "skipped"} & {measure.verdict, result.verdict}:
        return result
    if any(isinstance(step, ParallelStep) for step in all_steps(result.file.scenario.steps)):
        return result
    different = [*_steps(measure, result), *_requests(measure, result)]
    verdict: events.Verdict = "failed" if different else result.verdict
    return replace(result, verdict=verdict, differences=(*result.differences, *different))


def _steps(measure: events.ScenarioResult, result: events.ScenarioResult) -> Iterator[Difference]:
    wanted, got = _by_line(measure), _by_line(result)
    told = _timeless if result.wire in IN_REAL_TIME else _whole
    for line in sorted(wanted.keys() | got.keys()):
        if len(wanted[line]) != len(got[line]):
            yield Difference(f"matrix.line {line}", f"{len(wanted[line])} times", f"{len(got[line])} times")
        for left, right in zip(wanted[line], got[line], strict=False):
            yield from _observation(f"matrix.line {line}", told(left), told(right))


def _by_line(result: events.ScenarioResult) -> dict[int, list[Observation]]:
    seen: dict[int, list[Observation]] = defaultdict(list)
    for step in result.steps:
        if step.seen is not None:
            seen[step.line].append(step.seen)
    return seen


def _whole(seen: Observation) -> Observation:
    return seen


def _timeless(seen: Observation) -> Observation:
    """What was seen, without what passes and without what is not held in real time; JSON is held as data alone."""
    value = {field.name: masked(getattr(seen, field.name)) for field in fields(Observation)}
    value |= {name: () for name in UNTIMED if name in value}
    if seen.structured is None and seen.data is not MISSING:
        value["text"] = ""
    return Observation(**value)


def _observation(path: str, wanted: Observation, got: Observation) -> Iterator[Difference]:
    for field in fields(Observation):
        left, right = (_held(field.name, getattr(seen, field.name)) for seen in (wanted, got))
        if left != right:
            yield Difference(f"{path} {field.name}", shown(left), shown(right))


def _held(name: str, value: Any) -> Any:
    """The part of an observation that must be the same everywhere."""
    if name in DIFFERS:
        return None
    if isinstance(value, Mapping):
        kept = {key: item for key, item in value.items() if f"{name}.{key}" not in DIFFERS}
        return {**kept, "code": ERA_CODES.get(kept["code"], kept["code"])} if name == "protocol_error" else kept
    return list(value) if isinstance(value, tuple) else value


def _requests(measure: events.ScenarioResult, result: events.ScenarioResult) -> Iterator[Difference]:
    wanted, got = _counted(measure), _counted(result)
    for request in sorted(wanted.keys() | got.keys()):
        if wanted[request] != got[request]:
            yield Difference(f"matrix.upstream {request}", f"{wanted[request]} times", f"{got[request]} times")


def _counted(result: events.ScenarioResult) -> Counter[str]:
    """What each service saw, without the polls of jobs: how many there are depends on when they began."""
    return Counter(_named(exchange) for exchange in result.exchanges if not verdicts.is_poll(exchange.path))


def _named(exchange: Any) -> str:
    return f"{exchange.service} {exchange.method} {exchange.route} {exchange.module or ''}".rstrip()
