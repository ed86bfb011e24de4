"""The short form of a rule: one English sentence that any registered fault kind can be said in.

    SERVICE: [SUBJECT] EFFECT [QUALIFIER …]

    SUBJECT    MODULE | ROUTE | [first [N] | Nth | every [Nth]] NOUN [to MODULE | to tool TOOL | to ROUTE]
    NOUN       call(s) | request(s) | run(s) | job(s) | read(s)
    ROUTE      POST /run | /run
    EFFECT     one of the kind's phrases (`fails with 503`), or its name with attributes (`latency seconds=3s`)
    QUALIFIER  for [module] MODULE | for tool TOOL | for endpoint NAME | on ROUTE | N times | after T | until T | with probability P
               | P% of the time | once per key | optional

A module does what its engine or its job can do, a call does what a reply or a connection can: ``OCR_LOCAL is down``
is that one provider, ``every call is refused`` the whole service. ``tzzr_mocks.control.longform`` has the long form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tzzr_mcp.contract.catalogue import TOOLS
from tzzr_mocks.control.attributes import duration
from tzzr_mocks.control.effects import effect_of
from tzzr_mocks.control.errors import PlanError, unknown, unknown_route
from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.match import Match
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.control.rule import FaultRule
from tzzr_mocks.control.schedule import Schedule
from tzzr_mocks.control.surface import Surface
from tzzr_mocks.control.words import Words

_SERVICE = re.compile(r"\s*([\w-]+)\s*:\s*(?=\S)")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_MODULE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "SEARCH", "HEAD", "OPTIONS")
_CALL = (Point.REPLY, Point.WIRE, Point.JOB, Point.ROWS, Point.MODEL, Point.MODULE)
_NOUNS = {
    "call": _CALL,
    "request": _CALL,
    "run": (Point.MODULE, Point.JOB, Point.REPLY, Point.ROWS, Point.MODEL, Point.WIRE),
    "job": (Point.JOB, Point.MODULE, Point.REPLY, Point.ROWS, Point.MODEL, Point.WIRE),
    "read": (Point.ROWS, Point.REPLY, Point.WIRE, Point.JOB, Point.MODEL, Point.MODULE),
}
"""What a noun speaks of, nearest first."""


@dataclass
class Draft:
    """What has been understood so far."""

    service: str
    surface: Surface
    points: tuple[Point, ...] = (Point.WIRE, Point.REPLY, Point.JOB, Point.ROWS, Point.MODEL, Point.MODULE)
    match: dict[str, Any] = field(default_factory=dict)
    schedule: dict[str, Any] = field(default_factory=dict)
    optional: bool = False

    def rule(self, fault: Fault, text: str) -> FaultRule:
        """The rule that the draft has become."""
        match = Match(service=self.service, **self.match)
        return FaultRule(match, fault, Schedule(**self.schedule), optional=self.optional, text=text.strip())


def parse(text: str, surfaces: Mapping[str, Surface]) -> FaultRule:
    """The rule that a sentence says.

    Raises:
        PlanError: it is not understood; tells the column and the nearest valid name.
    """
    found = _SERVICE.match(text)
    if not found:
        raise PlanError(f"{text!r} is not a rule; write SERVICE: WHAT HAPPENS, as in 'grace: OCR_LOCAL is down'")
    words = Words(text, found.end())
    if found[1] not in surfaces:
        Words(text).refuse(unknown("service", found[1], surfaces))
    draft = Draft(found[1], surfaces[found[1]])
    _subject(words, draft)
    fault = effect_of(words, draft.service, draft.points, lambda: _goes_on(words))
    while words.peek():
        _qualifier(words, draft)
    return _finished(words, draft, fault)


def _finished(words: Words, draft: Draft, fault: Fault) -> FaultRule:
    try:
        return draft.rule(fault, words.text)
    except PlanError as error:
        words.refuse(error, back=words.place)


def _subject(words: Words, draft: Draft) -> None:
    if _route(words, draft):
        draft.points = _CALL
    elif _is_module(words.peek(), draft):
        _module(words, draft)
        draft.points = (Point.MODULE, Point.JOB, Point.REPLY, Point.ROWS, Point.MODEL, Point.WIRE)
    elif _counted_noun(words, draft) and words.accept("to"):
        _target(words, draft)


def _is_module(word: str, draft: Draft) -> bool:
    return word in draft.surface.modules or bool(_MODULE.fullmatch(word) and len(word) > 3)


def _counted_noun(words: Words, draft: Draft) -> bool:
    start = words.place
    schedule = _count(words)
    noun = words.peek().casefold().removesuffix("s")
    if noun not in _NOUNS:
        words.place = start
        return False
    words.take()
    draft.points = _NOUNS[noun]
    draft.schedule.update(schedule)
    return True


def _count(words: Words) -> dict[str, int]:
    if words.accept("first"):
        return {"first": int(words.take()) if words.peek().isdecimal() else 1}
    if words.accept("every") or words.accept("all") or words.accept("each"):
        ordinal = _ORDINAL.fullmatch(words.peek())
        return {"every": int(_ORDINAL.sub(r"\1", words.take()))} if ordinal else {}
    if _ORDINAL.fullmatch(words.peek()):
        return {"nth": int(_ORDINAL.sub(r"\1", words.take()))}
    return {}


def _target(words: Words, draft: Draft) -> None:
    if _route(words, draft):
        return
    if words.accept("tool"):
        _tool(words, draft)
    elif words.accept("endpoint"):
        draft.match["endpoint"] = words.take()
    else:
        words.accept("module")
        _module(words, draft)


def _module(words: Words, draft: Draft) -> None:
    name = words.take()
    if name not in draft.surface.modules:
        words.refuse(unknown(f"module of {draft.service}", name, draft.surface.modules), back=1)
    draft.match["module"] = name


def _tool(words: Words, draft: Draft) -> None:
    name = words.take()
    if name not in TOOLS:
        words.refuse(unknown("tool", name, TOOLS), back=1)
    draft.match["tool"] = name


def _route(words: Words, draft: Draft) -> bool:
    method = words.peek() if words.peek() in _METHODS else ""
    if not words.peek(1 if method else 0).startswith("/"):
        return False
    route = f"{words.take()} {words.take()}" if method else words.take()
    labels = draft.surface.labels
    if labels and not any(route in (label, label.partition(" ")[2]) for label in labels):
        words.refuse(unknown_route(draft.service, route, labels), back=1)
    draft.match["route"] = route
    return True


def _goes_on(words: Words) -> bool:
    """Whether the sentence ends here, or a qualifier follows."""
    word, after = words.peek(), words.peek(1)
    plain = {"", "optional", "for", "on", "to", "at", "after", "until"}
    return word in plain or word.endswith("%") or _is_times(after) or after in ("probability", "per")


def _qualifier(words: Words, draft: Draft) -> None:
    if words.accept("optional"):
        draft.optional = True
    elif words.accept("for") or words.accept("on") or words.accept("to") or words.accept("at"):
        _target(words, draft)
    elif not _how_often(words, draft):
        known = ("for", "on", "after", "until", "with probability", "once per key", "optional", "3 times")
        words.refuse(unknown("qualifier", words.peek(), known))


def _how_often(words: Words, draft: Draft) -> bool:
    schedule = draft.schedule
    if words.accept("once", "per", "key"):
        schedule["once_per_key"] = True
    elif words.peek().isdecimal() and _is_times(words.peek(1)):
        schedule["first"] = int(words.take())
        words.take()
    elif re.fullmatch(r"\d+(\.\d+)?%", words.peek()):
        schedule["probability"] = float(words.take().rstrip("%")) / 100
        words.accept("of", "the", "time")
    else:
        return _window(words, draft)
    return True


def _is_times(word: str) -> bool:
    """Whether the word is ``time`` or ``times``."""
    return word.casefold() in ("time", "times")


def _window(words: Words, draft: Draft) -> bool:
    for name in ("after", "until"):
        if words.accept(name):
            draft.schedule[name] = _number(words)
            return True
    if words.accept("with", "probability"):
        draft.schedule["probability"] = _number(words)
        return True
    return False


def _number(words: Words) -> float:
    """The next word as seconds or as a plain number.

    Raises:
        PlanError: it is neither.
    """
    from_text = words.take()
    try:
        return duration(from_text)
    except PlanError as error:
        words.refuse(error, back=1)
