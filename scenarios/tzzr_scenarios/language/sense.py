"""What a well-formed file may still get wrong: expectations that cannot work, faults that cannot fire."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import entry_points
from typing import Any

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mocks.control import PlanError
from tzzr_mocks.grace.lifecycle import Status
from tzzr_scenarios.language.chat_ends import senseless_end
from tzzr_scenarios.language.faults import understood
from tzzr_scenarios.language.mistakes import Mistake
from tzzr_scenarios.language.models import (
    After,
    ChatStep,
    Expect,
    Given,
    InjectStep,
    RestartStep,
    Scenario,
    Seen,
    Service,
    Step,
    UntilStep,
)
from tzzr_scenarios.language.places import Document, Path
from tzzr_scenarios.language.values import Part
from tzzr_scenarios.matchers import OPERATORS, Matcher, MatcherError, matcher
from tzzr_scenarios.spelling import suggestion
from tzzr_scenarios.verdicts import RULES

_PLAIN = {"hops", "within", "source"}
_SCALARS = {"text", "outcome", "takes", "name", "kind", "simulated"}


def senseless(document: Document, scenario: Scenario) -> Iterator[Mistake]:
    """Every mistake that only shows when the parts are looked at by what they mean."""
    yield from senseless_given(document, scenario.given)
    for number, name in enumerate(scenario.waives):
        if name not in RULES:
            yield document.mistake(
                ("waives", number), f'"{name}" is no verdict', suggestion(name, list(RULES), "verdicts")
            )
    for number, step in enumerate(scenario.steps):
        yield from _step(document, step, ("steps", number))
    yield from _after(document, scenario.after, ("after",))


def senseless_given(document: Document, given: Given) -> Iterator[Mistake]:
    """Every such mistake of a starting world that stands behind the key ``given``."""
    for number, fault in enumerate(given.faults):
        yield from senseless_fault(document, fault, ("given", "faults", number))
    yield from senseless_plugins(document, given.plugins, ("given", "plugins"))


def senseless_plugins(document: Document, names: Sequence[str], path: Path) -> Iterator[Mistake]:
    """Plugins that are not installed."""
    for number, name in enumerate(names):
        if name not in _plugins() and "${" not in name:
            told = f'there is no plugin "{name}"'
            yield document.mistake((*path, number), told, suggestion(name, sorted(_plugins()), "plugins"))


@functools.cache
def _plugins() -> frozenset[str]:
    return frozenset(point.name for point in entry_points(group="tzzr_mcp.plugins"))


def _step(document: Document, step: Step, path: Path) -> Iterator[Mistake]:
    if isinstance(step, InjectStep):
        yield from senseless_fault(document, step.inject, (*path, "inject"))
    if isinstance(step, RestartStep) and "parallel" in path:
        hint = "put it before or after the parallel steps"
        yield document.mistake(
            (*path, "restart"), "restart would take the client from the steps beside it", hint, key=True
        )
    if isinstance(step, UntilStep) and step.stop is not None:
        yield from _expectations(document, step.stop, (*path, "stop"))
    if isinstance(step, ChatStep):
        yield from senseless_end(document, step.expect, (*path, "expect"))
    for where, inner in step.inner():
        yield from _step(document, inner, (*path, *where))
    yield from _expectations(document, step.expect, (*path, "expect"))
    yield from _hops(document, step.expect, (*path, "expect", "hops"))
    for name, query in step.save.items():
        yield from _tried(document, functools.partial(matcher, {"path": {query: {"any": True}}}), (*path, "save", name))
    yield from _upstream(document, step.upstream, path)


def _hops(document: Document, expect: Expect, path: Path) -> Iterator[Mistake]:
    for number, hop in enumerate(expect.hops or ()):
        name, _, outcome = hop.partition(" ")
        if "${" not in hop and (name not in MODULES or not outcome.startswith(("✓", "✗ "))):
            hint = suggestion(name, list(MODULES), "modules") if name not in MODULES else "such as OCR_GROQ ✓"
            yield document.mistake((*path, number), f'"{hop}" is no hop: a module with ✓, or ✗ and a code', hint)


def _upstream(document: Document, upstream: Mapping[Service, tuple[Seen, ...]], path: Path) -> Iterator[Mistake]:
    for service, requests in upstream.items():
        for number, seen in enumerate(requests):
            yield from _seen(document, seen, (*path, "upstream", service, number))


def _after(document: Document, after: After, path: Path) -> Iterator[Mistake]:
    yield from _upstream(document, after.upstream, path)
    for part, known in (("computed", list(MODULES)), ("jobs", list(Status))):
        for name, count in getattr(after, part).items():
            if name not in known:
                hint = suggestion(name, known, "allowed")
                yield document.mistake((*path, part, name), f'"{name}" is not allowed here', hint, key=True)
            yield from _tried(document, functools.partial(_operators, count), (*path, part, name))


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


def senseless_fault(document: Document, fault: Any, path: Path) -> Iterator[Mistake]:
    """What is wrong with a fault, in its short form or its long one."""
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
    quote = mistake.shown[mistake.column - 1 :].startswith(("'", '"'))
    return replace(mistake, column=mistake.column + max(0, error.column - 1 - lead) + quote)
