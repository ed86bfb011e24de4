"""A journey that broke, as a scenario file: as short as it may be to break in the same way."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tzzr_scenarios import runner
from tzzr_scenarios.language import schema
from tzzr_scenarios.language.faults import understood
from tzzr_scenarios.language.load import load
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.language.models import verb_of
from tzzr_scenarios.language.places import written
from tzzr_scenarios.recording.documents import Documents
from tzzr_scenarios.search import symptoms
from tzzr_scenarios.search.journey import Journey, Told

EITHER: Told = {"outcome": {"any": True}}
"""What is expected of a call that is not what broke: under faults it may succeed or fail."""
Place = tuple[str | int, ...]
Change = Callable[[Told], None]
"""Leaves something out of what a file says, in place."""
_OUTCOMES = {"outcome", "error", "protocol_error"}
"""Without these a step would have to succeed, which is more to expect and not less."""
_OVERCOMING = ("heal", "advance", "restart", "snapshot", "restore")
_MAY_FAIL = ("call", "cancel", "read")
_ENDS = "It fails until that is mended. Then it stays, and may get a title that says what must hold."
_OUTSIDE = "Played by itself it passes: what broke lies outside of its world, or was mended meanwhile."


class Written:
    """The file that a journey becomes: ``name``, ``text``, its ``documents``, and whether its play is ``red``."""

    def __init__(self, journey: Journey, by: str) -> None:
        told = copy.deepcopy(journey.told)
        digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:6]
        first = next(iter(journey.symptoms))
        self.name = f"{_slug(first.partition(' ')[2])}-{digest}"
        self.documents = Documents(f"{self.name}.files")
        self._title = f"What a search broke holds again: {first} ({digest})"
        self._names = frozenset(journey.symptoms)
        told["steps"] = [self._step(step) for step in told["steps"]]
        if "faults" in told["given"]:
            told["given"]["faults"] = [_optional(fault) for fault in told["given"]["faults"]]
        short = self._shortened(told)
        self.red = short is not None
        self._told = told if short is None else short
        self._found = [f"{name}: {text}" for name, text in journey.symptoms.items()]
        self._by = by

    def _step(self, step: Told) -> Told:
        """A step whose long or binary arguments are documents, and whose fault need not fire."""
        if "parallel" in step:
            return {**step, "parallel": [self._step(inner) for inner in step["parallel"]]}
        if "inject" in step:
            return {**step, "inject": _optional(step["inject"])}
        return {**step, "with": self.documents.arguments(step["with"])} if step.get("with") else step

    def text(self, folder: Path) -> str:
        """The whole file, to be put into ``folder``."""
        relative = os.path.relpath(schema.PATH, folder.resolve())
        about = [f"Found by {self._by}:", *(f"  {_one_line(line)}" for line in self._found)]
        about.append(_ENDS if self.red else _OUTSIDE)
        comment = "".join(f"# {line}\n" for line in about)
        return f"# yaml-language-server: $schema={relative}\n{comment}{self._body(self._told)}"

    def _body(self, told: Told) -> str:
        return written({"scenario": self._title, **told}, flow=True)

    def _shortened(self, told: Told) -> Told | None:
        """The scenario without the expectations that are not what breaks; None when it does not break."""
        with tempfile.TemporaryDirectory() as folder:
            self.documents.write(Path(folder))
            path = Path(folder, "tried.yaml")
            if not self._breaks(told, path):
                return None
            for changes in (_fewer, _fewer, _eased, _looser):
                for change in changes(told):
                    tried = copy.deepcopy(told)
                    with suppress(LookupError):  # it went with something else
                        change(tried)
                    if tried != told and self._breaks(tried, path):
                        told = tried
            return told

    def _breaks(self, told: Told, path: Path) -> bool:
        """Whether a play is broken by something that the journey was."""
        path.write_text(self._body(told), encoding="utf-8")
        try:
            result = runner.run_one(load(path), runner.Settings())
        except FileMistakes:  # a later step used what this one saved
            return False
        return not self._names.isdisjoint(symptoms.of_result(result))


def _optional(fault: str | Told) -> str | Told:
    """The fault, which need not fire: once what it showed is mended, it may not be met."""
    if understood(fault).optional:
        return fault
    return f"{fault} optional" if isinstance(fault, str) else {**fault, "optional": True}


def _fewer(told: Told) -> Iterator[Change]:
    """Without one of the steps; the last one is what broke, or was there to look at the rest.

    Once there are faults, no step is left out that may have been there to get over them: what is expected later would
    be too much.
    """
    faults = [place[1] for place in _places(told["steps"], ("steps",)) if "inject" in _at(told, place)]
    first = -1 if told["given"].get("faults") else min(map(int, faults), default=len(told["steps"]))
    for number in reversed(range(len(told["steps"]) - 1)):
        if number < first or verb_of(told["steps"][number]) not in _OVERCOMING:
            yield _without(("steps",), number)


def _eased(told: Told) -> Iterator[Change]:
    """With nothing expected of a step."""
    for place in _places(told["steps"], ("steps",)):
        yield _easing(place)


def _looser(told: Told) -> Iterator[Change]:
    """Without one part of what is expected, or of the world."""
    for place in _places(told["steps"], ("steps",)):
        for key in sorted(_at(told, place).get("expect", {}).keys() - _OUTCOMES):
            yield _without((*place, "expect"), key)
    yield _without((), "after")
    for part, names in told.get("after", {}).items():
        yield _without(("after",), part)
        yield from (_without(("after", part), name) for name in names)
    yield from (_without(("given",), name) for name in ("era", "settings") if name in told.get("given", {}))


def _places(steps: list[Told], path: Place) -> Iterator[Place]:
    for number, step in enumerate(steps):
        yield (*path, number)
        yield from _places(step.get("parallel", []), (*path, number, "parallel"))


def _at(told: Told, path: Place) -> Any:
    part: Any = told
    for key in path:
        part = part[key]
    return part


def _easing(place: Place) -> Change:
    def change(told: Told) -> None:
        step = _at(told, place)
        step.pop("expect", None)
        if any(verb in step for verb in _MAY_FAIL):
            step["expect"] = copy.deepcopy(EITHER)

    return change


def _without(place: Place, key: str | int) -> Change:
    def change(told: Told) -> None:
        del _at(told, place)[key]
        if place and place[-1] == "expect" and not _at(told, place):
            del _at(told, place[:-1])["expect"]

    return change


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "find"


def _one_line(text: str, most: int = 200) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
