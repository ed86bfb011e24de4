"""Fills a tool's arguments from a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from jsonschema import Draft202012Validator

from tzzr_mocks.llm.choosing import picks
from tzzr_mocks.llm.choosing.kinds import Argument, Kind, arguments_of
from tzzr_mocks.llm.choosing.languages import without_languages
from tzzr_mocks.llm.choosing.material import MARK, Question
from tzzr_mocks.llm.choosing.numbers import numbers, unsaid
from tzzr_mocks.llm.choosing.quantities import quantities
from tzzr_mocks.llm.choosing.ranking import NAME
from tzzr_mocks.llm.choosing.stems import stem
from tzzr_mocks.llm.prompt import Tool

_CONTENT: Final = ("text", "phrase", "path", "binary", "reference")
"""Kinds of arguments that a tool works on; one that has some needs at least one of them."""
_FRAME: Final = frozenset(
    ["texto", "frase", "palabra", "siguiente", "documento", "contenido", "codigo", "modelo", "dato", "saber", "decir"]
)
"""Words that stand around a text, not in it."""


@dataclass(frozen=True)
class Filled:
    """A tool with the arguments that were found, and those that it cannot do without and nobody named."""

    tool: Tool
    arguments: Mapping[str, Any]
    missing: tuple[Argument, ...] = field(default=())


def filled(tool: Tool, known: Mapping[str, float], scopes: Sequence[Question]) -> Filled:
    """The tool's arguments from the first of these questions that names each; ``known`` are the tool's own words."""
    arguments = arguments_of(tool.properties, tool.required)
    given: dict[str, Any] = {**numbers(arguments, [quantities(scope) for scope in scopes])}
    for scope in scopes:
        left = [one for one in arguments if one.name not in given]
        given |= {one.name: value for one in left if (value := _picked(one, scope)) is not None}
    for scope in scopes:
        left = [one for one in arguments if one.name not in given]
        content = bool(_content(arguments, given))
        given |= _texts(left, scope, known, content=content, last=scope is scopes[-1])
    for one in arguments:
        if one.required and one.name not in given and one.kind == "number" and (value := unsaid(one)) is not None:
            given[one.name] = value
    taken = _taken(arguments, given)
    return Filled(tool, taken, tuple(_missing(arguments, taken)))


def _taken(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was found, in the schema's order, as far as the schema takes it."""
    there = [one for one in arguments if one.name in given]
    return {one.name: given[one.name] for one in there if Draft202012Validator(one.schema).is_valid(given[one.name])}


_PICK: Final[Mapping[Kind, Callable[[Argument, Question], Any]]] = {
    "choice": picks.choice,
    "flag": picks.flag,
    "language": picks.language,
    "list": picks.listed,
    "path": lambda argument, question: picks.path(question),
    "uri": lambda argument, question: picks.uri(question),
}


def _picked(argument: Argument, question: Question) -> Any:
    pick = _PICK.get(argument.kind)
    return pick(argument, question) if pick else None


def _content(arguments: Sequence[Argument], given: Mapping[str, Any]) -> list[Argument]:
    return [one for one in arguments if one.kind in _CONTENT and one.name in given]


def _texts(
    left: Sequence[Argument], scope: Question, known: Mapping[str, float], *, content: bool, last: bool
) -> dict[str, Any]:
    """The texts: what is quoted or pasted, in its order; without it the words that are not the tool's own."""
    materials, given = list(scope.materials), {}
    for one in left:
        if one.kind not in ("text", "phrase", "reference") or not (one.required or not content):
            continue
        if one.kind == "reference":
            given[one.name] = picks.reference(scope) or ""
        elif materials:
            given[one.name] = _fitting(one, materials.pop(0))
        elif one.kind == "phrase" or (last and not picks.path(scope)):
            given[one.name] = _fitting(one, _residue(scope, known))
    return {name: value for name, value in given.items() if value}


def _fitting(argument: Argument, text: str) -> str:
    longest: int = argument.schema.get("maxLength", len(text))
    return text.strip()[:longest]


def _residue(scope: Question, known: Mapping[str, float]) -> str:
    """What is left of an instruction without what it says to the tool, from its first word to its last."""
    words = re.findall(r"[\w.@/-]+", picks.without_files(without_languages(scope.instruction.replace(MARK, " "))))
    return _span(words, known) or _span(words, {found for found, weight in known.items() if weight >= NAME})


def _span(words: Sequence[str], known: Collection[str]) -> str:
    own = [bool(found := stem(word)) and found not in known and found not in _FRAMES for word in words]
    if True not in own:
        return ""
    first, last = own.index(True), len(own) - 1 - own[::-1].index(True)
    return " ".join(words[first : last + 1])


_FRAMES: Final = frozenset(stem(word) for word in _FRAME)


def _missing(arguments: Sequence[Argument], given: Mapping[str, Any]) -> list[Argument]:
    missing = [one for one in arguments if one.required and one.name not in given]
    works_on = [one for one in arguments if one.kind in _CONTENT]
    if not missing and works_on and not _content(arguments, given):
        return works_on[:1]
    return missing
