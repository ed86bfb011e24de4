"""Which fault a sentence means: the phrases of the kinds, or a kind's name with its attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from tzzr_mocks.control.attributes import converted
from tzzr_mocks.control.errors import PlanError, unknown
from tzzr_mocks.control.fault import Fault, kinds_at
from tzzr_mocks.control.longform import build_fault
from tzzr_mocks.control.names import nearest
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.control.words import Words, same_word

_FIELD = re.compile(r"\{(\w+)\}(.*)")
_FILLERS = ("is", "gets", "has", "with")


@dataclass(frozen=True)
class _Given:
    """An attribute as it was written, and the place of its word."""

    name: str
    value: str
    place: int


@dataclass(frozen=True)
class _Reading:
    """One way to understand the coming words: so many of them say this kind with these attributes, or its bare name."""

    length: int
    kind: type[Fault]
    attributes: tuple[_Given, ...] = ()
    named: bool = False


def effect_of(words: Words, service: str, points: Sequence[Point], goes_on: Callable[[], bool]) -> Fault:
    """The fault that the coming words say.

    Of several the longest phrase wins, then a kind's own name, then the point nearest the subject.
    ``goes_on`` tells whether the words after a phrase can follow it.

    Raises:
        PlanError: no kind can be said so; tells the nearest phrase or name.
    """
    readings = sorted(
        _readings(words, service), key=lambda one: (-one.length, not one.named, points.index(one.kind.point))
    )
    if not readings:
        _refuse(words, service)
    start, refused = words.place, None
    for reading in readings:
        words.place = start
        try:
            fault = _made(words, reading)
        except PlanError as error:
            refused = refused or error
        else:
            if refused is None or goes_on():
                return fault
    raise refused or PlanError("nothing is said")


def _made(words: Words, reading: _Reading) -> Fault:
    start = words.place
    words.place += reading.length
    given = list(reading.attributes)
    while "=" in words.peek():
        name, _, value = words.peek().partition("=")
        given.append(_Given(name, value, words.place))
        words.take()
    end = words.place
    values = {one.name: _value(words, reading.kind, one) for one in given}
    words.place = start
    try:
        fault = build_fault(reading.kind, values)
    except PlanError as error:
        words.refuse(error)
    words.place = end
    return fault


def _value(words: Words, kind: type[Fault], given: _Given) -> Any:
    try:
        return converted(kind, given.name, given.value)
    except PlanError as error:
        words.place = given.place
        words.refuse(error)


def _readings(words: Words, service: str) -> Iterator[_Reading]:
    for name, kind in kinds_at(service).items():
        for phrase in kind.phrases:
            if reading := _said(words, kind, phrase.split()):
                yield reading
        if length := _named(words, name):
            yield _Reading(length, kind, named=not _filled(words))


def _said(words: Words, kind: type[Fault], phrase: Sequence[str]) -> _Reading | None:
    attributes: list[_Given] = []
    for index, expected in enumerate(phrase):
        given = words.peek(index)
        field = _FIELD.fullmatch(expected)
        if field and given.endswith(field[2]) and given != field[2]:
            attributes.append(_Given(field[1], given.removesuffix(field[2]), words.place + index))
        elif field or not same_word(given, expected):
            return None
    return _Reading(len(phrase), kind, tuple(attributes))


def _named(words: Words, name: str) -> int:
    """How many of the coming words say the kind's name: ``stuck_in_queue``, ``stuck in queue``, ``is slow``."""
    skip = 1 if _filled(words) else 0
    parts = name.split("_")
    if words.peek(skip).replace("-", "_").casefold() == name:
        return skip + 1
    if all(words.peek(skip + index).casefold() == part for index, part in enumerate(parts)):
        return skip + len(parts)
    return 0


def _filled(words: Words) -> bool:
    return any(same_word(words.peek(), filler) for filler in _FILLERS)


def _refuse(words: Words, service: str) -> NoReturn:
    known = kinds_at(service)
    phrases = sorted({phrase for kind in known.values() for phrase in kind.phrases})
    rest = " ".join(filter(None, (words.peek(index) for index in range(4))))
    error = unknown(f"effect for {service}", rest, sorted(known))
    error.suggestion = nearest(rest, [*phrases, *known]) or nearest(words.peek(), known)
    words.refuse(error)
