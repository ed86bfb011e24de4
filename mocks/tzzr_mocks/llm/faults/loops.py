"""A model that never comes to an end."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Call, Reply


@dataclass(frozen=True)
class Loops(ModelFault):
    """Instead of answering the model asks for the same tools again, with the same arguments, each time.

    Before any tool was asked for, what it would have said comes as it is. Seen with every agent that has no limit.

    YAML: ``- llm: every call loops``
    """

    kind = "loops"
    phrases = ("loops",)

    def reply(self, reply: Reply, prompt: Prompt, dice: Dice) -> Reply:
        """Ask again."""
        if not prompt.rounds or reply.calls:
            return reply
        return Reply(calls=tuple(Call(one.name, raw=one.arguments) for one in prompt.rounds[-1].asked))
