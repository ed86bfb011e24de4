"""Which tools to ask for, with which arguments, and in which order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tzzr_mocks.llm.choosing import picks
from tzzr_mocks.llm.choosing.filling import Filled, filled
from tzzr_mocks.llm.choosing.kinds import Argument, Kind, arguments_of
from tzzr_mocks.llm.choosing.languages import languages, without_languages
from tzzr_mocks.llm.choosing.material import MARK, Question, taken_apart
from tzzr_mocks.llm.choosing.ranking import Catalogue
from tzzr_mocks.llm.prompt import Tool
from tzzr_mocks.llm.reply import Call

_MOST: Final = 4
"""Tools that are asked for at once."""


@dataclass(frozen=True)
class Plan:
    """Rounds of tools; ``lacking`` are tools that were meant and lack an argument."""

    rounds: tuple[tuple[Call, ...], ...] = ()
    lacking: tuple[Filled, ...] = ()
    after: Mapping[str, str] = field(default_factory=dict)
    """Tool of the second round to the argument that takes the text of the first."""


def plan(texts: Sequence[str], tools: Sequence[Tool]) -> Plan:
    """The plan for a conversation's questions, the newest last; one that names no tool goes on with the one before."""
    catalogue = Catalogue(tools)
    questions = [taken_apart(text) for text in texts if text.strip()]
    if not questions:
        return Plan()
    wanted = _wanted(questions[-1], catalogue)
    if not wanted and len(questions) > 1 and _GOES_ON.match(questions[-1].whole):
        wanted = [_Wanted(one.tools, (questions[-1], *one.scopes)) for one in _wanted(questions[-2], catalogue)]
    return _staged([_filled(one, catalogue) for one in wanted[:_MOST]], catalogue, questions[-1])


_GOES_ON = re.compile(r"^\W*(?:y|e|pero|ahora|entonces|también|mejor|con|a)\b", re.IGNORECASE)
"""How a question begins that leans on the one before: «¿y a 60 meses?»."""


@dataclass(frozen=True)
class _Wanted:
    """Tools of which one is wanted, the best fitting first, and where its arguments come from, the nearest first."""

    tools: tuple[Tool, ...]
    scopes: tuple[Question, ...]


def _filled(wanted: _Wanted, catalogue: Catalogue) -> Filled:
    """The first of the tools that lacks nothing, else the first; one that takes the reference that is named before all."""
    tries = [filled(tool, catalogue.words_of(tool), wanted.scopes) for tool in wanted.tools]
    whole = [one for one in tries if not one.missing]
    return next((one for one in whole if _refers(one)), next(iter(whole), tries[0]))


def _refers(one: Filled) -> bool:
    argument = _argument(one.tool, "reference")
    return argument is not None and argument.name in one.arguments


def _wanted(question: Question, catalogue: Catalogue) -> list[_Wanted]:
    if picks.uri(question) and (opener := _opener(catalogue)):
        return [_Wanted((opener,), (question,))]
    clauses = _by_tool(question, catalogue)
    if not clauses:
        near = catalogue.near(question.instruction) or _into_a_language(question, catalogue)
        tools = tuple(near or catalogue.near(question.whole))
        return [_Wanted(tools, (question,))] if tools else []
    return [one for tools, said in clauses.values() for one in _scoped(tuple(tools), said, question)]


def _into_a_language(question: Question, catalogue: Catalogue) -> list[Tool]:
    """The tools that demand a language, where the question names one to go into: «pásame a inglés …»."""
    if not any(one.way == "to" for one in languages(question.instruction)):
        return []
    return [tool for tool in catalogue.tools if (one := _argument(tool, "language")) and one.required]


def _by_tool(question: Question, catalogue: Catalogue) -> dict[str, tuple[list[Tool], list[Question]]]:
    """The clauses that each tool is asked for in; one with words and a text of its own goes on with the last tool."""
    found: dict[str, tuple[list[Tool], list[Question]]] = {}
    last = ""
    for clause in question.clauses:
        if tools := catalogue.near(without_languages(clause.instruction)):
            last = tools[0].name
            found.setdefault(last, (tools, []))[1].append(clause)
        elif last and clause.materials and clause.instruction.strip() != MARK:
            found[last][1].append(clause)
    return found


def _scoped(tools: tuple[Tool, ...], clauses: Sequence[Question], question: Question) -> list[_Wanted]:
    """One call for all of these clauses, or one for each where each has a text of its own."""
    if len(clauses) > 1 and all(clause.materials for clause in clauses):
        return [_Wanted(tools, (clause, question)) for clause in clauses]
    text = ". ".join(clause.instruction for clause in clauses)
    own = Question(text, text, tuple(each for clause in clauses for each in clause.materials))
    return [_Wanted(tools, (own, question))]


def _opener(catalogue: Catalogue) -> Tool | None:
    """The tool that takes an address."""
    return next((tool for tool in catalogue.tools if _argument(tool, "uri")), None)


def _staged(done: Sequence[Filled], catalogue: Catalogue, question: Question) -> Plan:
    ready = [one for one in done if not one.missing]
    lacking = [one for one in done if one.missing]
    first = {(one.tool.name, repr(one.arguments)): Call(one.tool.name, one.arguments) for one in ready}
    later = [(one, reader) for one in lacking if (reader := _reader(one, catalogue, question))]
    if not ready and later:
        one, reader = later[0]
        argument = one.missing[0].name
        return Plan(((reader,), (Call(one.tool.name, one.arguments),)), after={one.tool.name: argument})
    return Plan((tuple(first.values()),) if first else (), tuple(lacking) if not ready else ())


def _reader(lacking: Filled, catalogue: Catalogue, question: Question) -> Call | None:
    """A call of a tool that reads the file that the question names, for one that lacks just a text."""
    path = picks.path(question)
    if path is None or [one.kind for one in lacking.missing] != ["text"]:
        return None
    kind = path.rpartition(".")[2].upper().replace("JPG", "JPEG")
    for tool in catalogue.tools:
        argument = _argument(tool, "path")
        if argument and tool.name != lacking.tool.name and kind in tool.description.upper():
            return Call(tool.name, {argument.name: path})
    return None


def _argument(tool: Tool, kind: Kind) -> Argument | None:
    return next((one for one in arguments_of(tool.properties, tool.required) if one.kind == kind), None)
