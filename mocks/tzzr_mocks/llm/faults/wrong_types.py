"""A tool's arguments of wrong types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Reply


@dataclass(frozen=True)
class WrongTypes(ModelFault):
    """Each argument of the tools asked for has another type than the schema wants: numbers as text, text in a list.

    Seen with models that follow schemas loosely, where ``strict`` is not set.

    YAML: ``- llm: first call gives wrong types``
    """

    kind = "wrong_types"
    phrases = ("gives wrong types",)

    def reply(self, reply: Reply, prompt: Prompt, dice: Dice) -> Reply:
        """Change the types."""
        return replace(reply, calls=tuple(replace(call, arguments=_wrong(call.arguments)) for call in reply.calls))


def _wrong(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: f"unos {value}" if isinstance(value, int | float) else [value] for name, value in arguments.items()}
