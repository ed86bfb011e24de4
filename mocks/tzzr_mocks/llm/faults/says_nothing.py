"""A model that says nothing."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Reply


@dataclass(frozen=True)
class SaysNothing(ModelFault):
    """The reply is whole and empty: no words, no tools.

    Seen after tool results, when a model takes the turn for ended; Anthropic documents it under handling stop reasons.

    YAML: ``- llm: 2nd call says nothing``
    """

    kind = "says_nothing"
    phrases = ("says nothing",)

    def reply(self, reply: Reply, prompt: Prompt, dice: Dice) -> Reply:
        """Say nothing."""
        return Reply()
