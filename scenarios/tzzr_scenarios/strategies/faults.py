"""Fault plans for the fakes: rules in their long form, short sentences, whole plans (docs/faults.md).

Only what a plan accepts is drawn as valid: kinds, modules and routes are those that the fakes have at this moment, so
a new fault file is drawn without a word here.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin

from hypothesis import strategies as st

from tzzr_mocks.control import KINDS, FaultPlan, PlanError, Surface
from tzzr_mocks.control.attributes import attribute_types
from tzzr_mocks.control.fault import Fault, kinds_at
from tzzr_mocks.world import World
from tzzr_scenarios.strategies.mutations import mutants
from tzzr_scenarios.strategies.values import Json

SERVICES: Final = ("grace", "hst", "context")
"""The fakes that a world always has; ``llm`` can be named too."""

_FIRST = ("connection_refused", "status", "module_down", "latency")
_VALUES: Final[Mapping[Any, tuple[Any, ...]]] = {
    int: (1, 2, 5),
    float: (1.0, 0.25, 3.0, 30.0),
    bool: (False, True),
    str: ("id", "text/plain", "otro"),
}
_BY_NAME: Final[Mapping[str, tuple[Any, ...]]] = {"status": (503, 500, 502, 404, 429), "keep": (0.5, 0.0, 0.9)}
"""Attributes whose values are of one sort only."""


@cache
def _surfaces() -> Mapping[str, Surface]:
    return World().plan.surfaces


def refusal(rule: str | Mapping[str, Json]) -> PlanError | None:
    """Why an empty plan of a world refuses a rule; None when it takes it."""
    plan = FaultPlan()
    plan.surfaces.update(_surfaces())
    try:
        plan.add(rule)
    except PlanError as error:
        return error
    return None


@st.composite
def valid(draw: st.DrawFn, *services: str) -> dict[str, Json]:
    """A rule in its long form, ``{match, effect, schedule}``, about one of these services (`SERVICES` by default)."""
    service = draw(st.sampled_from(services or SERVICES))
    kind = draw(st.sampled_from(_kinds(service)))
    drawn = {"match": draw(_matches(service)), "effect": draw(effects(kind.kind)), "schedule": draw(schedules())}
    return {name: part for name, part in drawn.items() if part}


@cache
def _kinds(service: str) -> Sequence[type[Fault]]:
    """The kinds that the service's fake asks for, the plainest first."""
    surface, known = _surfaces()[service], kinds_at(service)
    fitting = [kind for kind in known.values() if surface.modules or str(kind.point) != "module"]
    return sorted(fitting, key=lambda kind: (_rank(kind.kind), kind.kind))


def _rank(name: str) -> int:
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


@cache
def _matches(service: str) -> st.SearchStrategy[dict[str, Json]]:
    surface = _surfaces()[service]
    optional: dict[str, st.SearchStrategy[Json]] = {"route": st.sampled_from(list(surface.labels))}
    if surface.modules:
        optional["module"] = st.sampled_from(list(surface.modules))
    return st.fixed_dictionaries({"service": st.just(service)}, optional=optional)


@cache
def effects(name: str) -> st.SearchStrategy[dict[str, Json]]:
    """The ``effect`` of a rule of that kind: its name, and any of its attributes. KeyError when there is no such kind."""
    kind: Any = KINDS[name]
    known = attribute_types(kind)
    needed = {part.name for part in dataclasses.fields(kind) if part.default is dataclasses.MISSING}
    named = {name: _values(name, hint) for name, hint in known.items()}
    return st.fixed_dictionaries(
        {"kind": st.just(kind.kind), **{name: named[name] for name in needed}},
        optional={name: values for name, values in named.items() if name not in needed},
    ).filter(lambda effect: _fits(kind, effect))


def _fits(kind: type[Fault], effect: Mapping[str, Json]) -> bool:
    try:
        kind(**{name: value for name, value in effect.items() if name != "kind"})
    except ValueError:
        return False
    return True


def _values(name: str, hint: Any) -> st.SearchStrategy[Json]:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _values(name, next(each for each in get_args(hint) if each is not type(None)))
    if origin is Literal:
        return st.sampled_from(get_args(hint))
    return st.sampled_from(_BY_NAME.get(name, _VALUES[hint]))


def schedules() -> st.SearchStrategy[dict[str, Json]]:
    """How often: always, the first n, the n-th, every n-th, once per key; within a window in seconds; with a chance."""
    counts = st.one_of(st.just({}), *map(_counted, ("first", "nth", "every")), st.just({"once_per_key": True}))
    windows = st.sampled_from([{}, {"after": 5.0}, {"until": 30.0}, {"after": 5.0, "until": 30.0}])
    chances = st.sampled_from([{}, {"probability": 0.5}])
    return st.tuples(chances, windows, counts).map(lambda parts: {**parts[2], **parts[1], **parts[0]})


def _counted(name: str) -> st.SearchStrategy[dict[str, Json]]:
    return st.integers(1, 4).map(lambda number: {name: number})


@st.composite
def sentences(draw: st.DrawFn, *services: str) -> str:
    """A rule in its short form, as ``grace: first 2 calls fail with 503``, that a plan takes."""
    service = draw(st.sampled_from(services or SERVICES))
    return draw(_spoken(service).filter(lambda text: refusal(text) is None))


@cache
def _spoken(service: str) -> st.SearchStrategy[str]:
    counts = ["", "calls", "first 2 calls", "2nd call", "every 3rd call"]
    subjects = [
        *counts,
        *(f"{count} to {module}" for count in counts[1:] for module in list(_surfaces()[service].modules)[:4]),
    ]
    said = [phrase for kind in _kinds(service) for phrase in (kind.phrases[:1] or (kind.kind,))]
    plural = [_filled(phrase) for phrase in said]
    qualifiers = ["", "after 3s", "until 1m", "50% of the time", "once per key", "optional"]
    parts = st.tuples(*(st.sampled_from(each) for each in (subjects, plural, qualifiers)))
    return parts.map(lambda words: " ".join(filter(None, [f"{service}:", *words])))


def _filled(phrase: str) -> str:
    examples = {
        "status": "503",
        "seconds": "3s",
        "retry_after": "30s",
        "code": "INTERNAL",
        "how": "verify",
        "field": "id",
    }
    for name in ("status", "seconds", "retry_after", "code", "how", "field", "size", "missing", "by", "attempts"):
        phrase = phrase.replace(f"{{{name}}}", examples.get(name, "2"))
    return phrase


def plans(*services: str, max_size: int = 3) -> st.SearchStrategy[list[dict[str, Json]]]:
    """Rules that stand in one plan together: no two the same; `FaultPlan.add` takes each in turn."""
    return st.lists(valid(*services), max_size=max_size, unique_by=lambda rule: json.dumps(rule, sort_keys=True))


@st.composite
def nearly_valid(draw: st.DrawFn, *services: str) -> str | dict[str, Json]:
    """A rule with one mistake, in the short form or in the long one, that a plan refuses with the mend."""
    spoilt = draw(st.sampled_from(["long", "short"]))
    if spoilt == "long":
        mutant: dict[str, Json] = draw(mutants(draw(valid(*services))).filter(_refused))
        return mutant
    return draw(_misspelt(draw(sentences(*services))).filter(_refused))


def _refused(rule: Any) -> bool:
    return refusal(rule) is not None


def _misspelt(sentence: str) -> st.SearchStrategy[str]:
    places = st.integers(0, len(sentence) - 1)
    return st.one_of(
        places.map(lambda place: sentence[:place] + sentence[place + 1 :]),
        st.tuples(places, st.sampled_from("axz9")).map(
            lambda pair: sentence[: pair[0]] + pair[1] + sentence[pair[0] :]
        ),
        st.just(f"{sentence} sometimes"),
    )
