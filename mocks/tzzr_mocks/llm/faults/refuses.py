"""A model that refuses."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Reply


@dataclass(frozen=True)
class Refuses(ModelFault):
    """The model refuses to answer: OpenAI's ``refusal``, Anthropic's stop reason ``refusal``.

    Seen where a provider's classifier takes a harmless document for a harmful one.

    YAML: ``- llm: every call refuses to answer``
    """

    kind = "refuses"
    phrases = ("refuses to answer",)
    words: str = "Lo siento, no puedo ayudar con esa petición."

    def reply(self, reply: Reply, prompt: Prompt, dice: Dice) -> Reply:
        """Refuse."""
        return Reply(refusal=self.words)
