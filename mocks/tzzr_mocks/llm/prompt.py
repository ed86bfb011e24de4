"""What a model is asked, whichever API it is asked through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Choice = Literal["auto", "none", "required"]


@dataclass(frozen=True)
class Tool:
    """One entry of the catalogue that came with the request; ``schema`` is the JSON Schema of its arguments."""

    name: str
    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)

    @property
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """The arguments that it takes, by name."""
        found = self.schema.get("properties")
        return found if isinstance(found, Mapping) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments that it cannot do without."""
        found = self.schema.get("required")
        return tuple(found) if isinstance(found, list) else ()


@dataclass(frozen=True)
class Asked:
    """A tool that the model asked for earlier; ``arguments`` is the text that it wrote, JSON or not."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True)
class Result:
    """The text that a tool gave back; ``failed`` where the API can say so."""

    call: str
    text: str
    failed: bool = False


@dataclass(frozen=True)
class Message:
    """One message of the conversation. A ``user`` message may hold results, an ``assistant`` one tools asked for."""

    role: Literal["user", "assistant"]
    text: str = ""
    asked: tuple[Asked, ...] = ()
    results: tuple[Result, ...] = ()


@dataclass(frozen=True)
class Round:
    """One round of a turn: what was asked for, with each tool's result in that order."""

    asked: tuple[Asked, ...]
    results: tuple[Result, ...]

    def pairs(self) -> Iterator[tuple[Asked, Result]]:
        """Each tool with its result."""
        found = {result.call: result for result in self.results}
        return ((one, found[one.id]) for one in self.asked if one.id in found)


@dataclass(frozen=True)
class Prompt:
    """A request, read. ``choice`` may also be the name of the one tool that has to be asked for."""

    model: str
    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[Tool, ...] = ()
    choice: Choice | str = "auto"
    parallel: bool = True
    limit: int | None = None
    stop: tuple[str, ...] = ()
    stream: bool = False

    @property
    def question(self) -> str:
        """The last thing that the person said."""
        return next((one.text for one in reversed(self.messages) if one.role == "user" and one.text.strip()), "")

    @property
    def rounds(self) -> tuple[Round, ...]:
        """What has been asked of tools since that question, oldest first."""
        rounds: list[Round] = []
        asked: tuple[Asked, ...] = ()
        for message in self._since_the_question():
            if message.asked:
                asked = message.asked
            elif message.results:
                rounds.append(Round(asked, message.results))
        return tuple(rounds)

    def _since_the_question(self) -> tuple[Message, ...]:
        places = [place for place, one in enumerate(self.messages) if one.role == "user" and one.text.strip()]
        return self.messages[places[-1] :] if places else self.messages

    def tool(self, name: str) -> Tool | None:
        """The tool called ``name``, if it is in the catalogue."""
        return next((tool for tool in self.tools if tool.name == name), None)
