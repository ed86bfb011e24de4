"""What a well-formed file may still get wrong: expectations that cannot work, faults that cannot fire."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tzzr_mocks.control import PlanError
from tzzr_scenarios.language.faults import understood
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
from tzzr_scenarios.matchers import OPERATORS, Matcher, MatcherError, matcher
from tzzr_scenarios.spelling import suggestion
from tzzr_scenarios.verdicts import RULES

_PLAIN = {"hops", "within", "source"}
_SCALARS = {"text", "takes", "name", "kind", "simulated"}


def senseless(document: Document, scenario: Scenario) -> Iterator[Mistake]:
    """Every mistake that only shows when the parts are looked at by what they mean."""
    for number, fault in enumerate(scenario.given.faults):
        yield from _fault(document, fault, ("given", "faults", number))
    for number, name in enumerate(scenario.waives):
        if name not in RULES:
            yield document.mistake(
                ("waives", number), f'"{name}" is no verdict', suggestion(name, list(RULES), "verdicts")
            )
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
            build = _operators if name in _SCALARS else matcher
            yield from _tried(document, functools.partial(build, value), (*path, name))


def _operators(value: Any) -> Matcher:
    """What is expected of a text or number: a mapping can only hold operators."""
    if isinstance(value, dict) and (strangers := [key for key in value if key not in OPERATORS]):
        hint = suggestion(strangers[0], sorted(OPERATORS), "operators")
        raise MatcherError(f'"{strangers[0]}" is not an operator; {hint}', (strangers[0],))
    return matcher(value)


def _seen(document: Document, seen: Seen, path: Path) -> Iterator[Mistake]:
    methods = [method for method in Seen.methods if getattr(seen, method) is not None]
    if len(methods) != 1:
        hint = "such as POST: /run or GET: /items/tags_hst"
        yield document.mistake(path, "a request is named by one method with its path", hint)
    for name in ("times", "status", "body", "query"):
        value = getattr(seen, name)
        yield from _tried(document, functools.partial(matcher, value), (*path, name))


def _tried(document: Document, build: Callable[[], Any], path: Path) -> Iterator[Mistake]:
    try:
        build()
    except MatcherError as error:
        yield document.mistake((*path, *error.path), str(error), key=True)


def _fault(document: Document, fault: Any, path: Path) -> Iterator[Mistake]:
    try:
        understood(fault)
    except PlanError as error:
        mend = f"did you mean {error.suggestion}?" if error.suggestion else ""
        yield _shifted(document.mistake(_spot(fault, path), error.message, mend), fault, error)


def _spot(fault: Any, path: Path) -> Path:
    """The short form may be written as a mapping of one service to its sentence."""
    return (*path, next(iter(fault))) if isinstance(fault, dict) and len(fault) == 1 else path


def _shifted(mistake: Mistake, fault: Any, error: PlanError) -> Mistake:
    """The caret under the very word, where the plan tells it."""
    if not error.column:
        return mistake
    lead = len(next(iter(fault))) + len(": ") if isinstance(fault, dict) else 0
    return replace(mistake, column=mistake.column + max(0, error.column - 1 - lead))
