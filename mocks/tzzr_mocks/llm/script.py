"""What a scripted model does: rules that say when it asks for which tools, and what it says in the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.control.names import nearest
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Call, Reply
from tzzr_mocks.llm.words import folded

PLACE = re.compile(r"\{(\w+)\}")
"""A value in an answer or in an argument: the name of a ``take``, or of a tool, which stands for its text."""


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from error
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]
Round = tuple[Mapping[str, Mapping[str, Any] | str], ...]
"""Tools asked for at once: each by its name, with its arguments; text in their place is sent as it is, JSON or not."""


class Part(BaseModel):
    """A frozen part of a script; unknown names are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class When(Part):
    """When a rule applies: each condition that is given must hold. Text is compared without case and accents."""

    question: str | None = Field(None, description="Text that stands in the person's last question.")
    matches: Pattern | None = Field(None, description="Regular expression found in the person's last question.")
    result: str | None = Field(None, description="Text that stands in a result of the round just ended.")

    def fits(self, prompt: Prompt) -> bool:
        """Whether the rule applies to the request."""
        if self.question is not None and folded(self.question) not in folded(prompt.question):
            return False
        if self.matches is not None and not re.search(self.matches, prompt.question):
            return False
        return self.result is None or any(folded(self.result) in folded(text) for text in _last(prompt))


def _last(prompt: Prompt) -> Iterator[str]:
    return (result.text for one in prompt.rounds[-1:] for result in one.results)


def _condition(given: Any) -> Any:
    """Text is a question that holds it."""
    return {"question": given} if isinstance(given, str) else given


def _spread(given: Any) -> Any:
    """A mapping of tools as a list of them, each with its arguments."""
    return [{name: arguments} for name, arguments in given.items()] if isinstance(given, Mapping) else given


_Arguments = Mapping[str, Any] | str
Asks = Annotated[
    Round,
    BeforeValidator(_spread, json_schema_input_type=list[dict[str, _Arguments]] | dict[str, _Arguments]),
]
"""A round as it is written: a list, or one mapping of tools."""


class Rule(Part):
    """What the model does for one kind of question: rounds of tools one after another, and then the answer."""

    when: Annotated[When, BeforeValidator(_condition, json_schema_input_type=When | str)] = Field(
        When.model_validate({}),
        description="When the rule applies, as conditions or as text of the question; the first rule that does is followed.",
    )
    call: Asks = Field(
        (), description="Tools that it asks for at once: `{tool: {argument: value}}`, or a list of these."
    )
    then: tuple[Asks, ...] = Field((), description="Further rounds of tools, each after the results of the last.")
    say: str = Field("", description="Words that come with the first round of tools.")
    take: Mapping[str, Pattern] = Field(
        {}, description="Values out of the tools' texts, by name: the first group of a regular expression."
    )
    answer: str = Field("", description="What it says in the end; `{name}` is a `take` or the text of a tool.")
    refuse: str = Field("", description="What it says when it refuses; no tool is asked for then.")

    @model_validator(mode="after")
    def _known(self) -> Rule:
        tools = [name for one in self.rounds for ask in one for name in ask]
        known = [*self.take, *tools]
        for name in PLACE.findall(self.answer):
            if name not in known:
                near = nearest(name, known)
                hint = f"; did you mean {near}?" if near else ""
                raise ValueError(f"{{{name}}} in the answer is no `take` of the rule and no tool that it calls{hint}")
        return self

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Every round of tools."""
        return ((self.call,) if self.call else ()) + self.then

    def reply(self, prompt: Prompt) -> Reply:
        """What the model says now: the tools of the round that comes, or the answer after the last one."""
        if self.refuse:
            return Reply(refusal=self.refuse)
        done = 0 if self.when.result is not None else len(prompt.rounds)
        values = Values(self.take, prompt)
        if done < len(self.rounds):
            calls = tuple(values.call(name, given) for ask in self.rounds[done] for name, given in ask.items())
            return Reply(self.say if done == 0 else "", calls)
        return Reply(values.put(self.answer))


class Values:
    """The values that an answer may name, out of the texts that tools have given in this turn."""

    def __init__(self, take: Mapping[str, str], prompt: Prompt) -> None:
        self._take = take
        pairs = [pair for one in prompt.rounds for pair in one.pairs()]
        self._texts = {asked.name: result.text for asked, result in pairs}
        self._all = "\n".join(result.text for _, result in pairs)

    def put(self, text: str) -> str:
        """``text`` with each ``{name}`` replaced; one without a value says so."""
        return PLACE.sub(lambda found: self._value(found[1], found[0]), text)

    def _value(self, name: str, written: str) -> str:
        if name in self._take:
            found = re.search(self._take[name], self._all)
            return found[found.re.groups and 1] if found else f"({name}: no está en lo que dicen las herramientas)"
        return self._texts.get(name, written)

    def call(self, tool: str, given: Mapping[str, Any] | str) -> Call:
        """A call with values put into its arguments."""
        return Call(tool, raw=self.put(given)) if isinstance(given, str) else Call(tool, self._filled(given))

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.put(value)
        if isinstance(value, Mapping):
            return {name: self._filled(one) for name, one in value.items()}
        return [self._filled(one) for one in value] if isinstance(value, Sequence) else value


Script = tuple[Rule, ...]
_SCRIPT: TypeAdapter[Script] = TypeAdapter(Script)


def script_of(given: Iterable[Rule | Mapping[str, Any]]) -> Script:
    """Rules from plain JSON values.

    Raises:
        PlanError: one of them is not a rule; tells which, what is wrong in it and how it is mended.
    """
    try:
        return _SCRIPT.validate_python(tuple(given))
    except ValidationError as error:
        raise PlanError("; ".join(_told(one["loc"], one["msg"]) for one in error.errors())) from error


def _told(place: tuple[int | str, ...], message: str) -> str:
    return f"model[{place[0]}]{''.join(f'.{part}' for part in place[1:])}: {message.removeprefix('Value error, ')}"
