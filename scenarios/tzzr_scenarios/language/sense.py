"""What a well-formed file may still get wrong: expectations that cannot work, faults that cannot fire."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tzzr_mocks.control import PlanError, rule
from tzzr_scenarios.language.mistakes import Mistake
from tzzr_scenarios.language.models import (
    Expect,
    InjectStep,
    ParallelStep,
    Part,
    RepeatStep,
    Scenario,
    Seen,
    Step,
)
from tzzr_scenarios.language.places import Document, Path
from tzzr_scenarios.matchers import MatcherError, matcher

_PLAIN = {"hops", "within", "source"}


def senseless(document: Document, scenario: Scenario) -> Iterator[Mistake]:
    """Every mistake that only shows when the parts are looked at by what they mean."""
    for number, fault in enumerate(scenario.given.faults):
        yield from _fault(document, fault, ("given", "faults", number))
    yield from _steps(document, scenario.steps, ("steps",))


def _steps(document: Document, steps: tuple[Step, ...], path: Path) -> Iterator[Mistake]:
    for number, step in enumerate(steps):
        yield from _step(document, step, (*path, number))


def _step(document: Document, step: Step, path: Path) -> Iterator[Mistake]:
    if isinstance(step, InjectStep):
        yield from _fault(document, step.inject, (*path, "inject"))
    if isinstance(step, ParallelStep):
        yield from _steps(document, step.parallel, (*path, "parallel"))
    if isinstance(step, RepeatStep):
        yield from _steps(document, step.steps, (*path, "steps"))
    yield from _expectations(document, step.expect, (*path, "expect"))
    for service, requests in step.upstream.items():
        for number, seen in enumerate(requests):
            yield from _seen(document, seen, (*path, "upstream", service, number))


def _expectations(document: Document, part: Part, path: Path) -> Iterator[Mistake]:
    for name in part.model_fields_set:
        value = getattr(part, name)
        if isinstance(value, Part):
            yield from _expectations(document, value, (*path, name))
        elif not (isinstance(part, Expect) and name in _PLAIN):
            yield from _tried(document, lambda value=value: matcher(value), (*path, name))


def _seen(document: Document, seen: Seen, path: Path) -> Iterator[Mistake]:
    methods = [method for method in Seen.methods if getattr(seen, method) is not None]
    if len(methods) != 1:
        hint = "such as POST: /run or GET: /items/tags_hst"
        yield document.mistake(path, "a request is named by one method with its path", hint)
    for name in ("times", "status", "body", "query"):
        value = getattr(seen, name)
        yield from _tried(document, lambda value=value: matcher(value), (*path, name))


def _tried(document: Document, build: Callable[[], Any], path: Path) -> Iterator[Mistake]:
    try:
        build()
    except MatcherError as error:
        yield document.mistake((*path, *error.path), str(error), key=True)


def _fault(document: Document, fault: Any, path: Path) -> Iterator[Mistake]:
    try:
        rule(fault)
    except PlanError as error:
        mistake = document.mistake((*path, *getattr(error, "path", ())), error.message, error.hint)
        column = mistake.column + getattr(error, "column", 0)
        yield Mistake(mistake.file, mistake.line, column, mistake.message, mistake.shown, mistake.hint)
