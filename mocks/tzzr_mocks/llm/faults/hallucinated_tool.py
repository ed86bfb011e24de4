"""A tool that nobody offered."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Call, Reply


@dataclass(frozen=True)
class HallucinatedTool(ModelFault):
    """The model asks for the tool ``name``, which is not in the catalogue that it was sent.

    Seen with every model now and then, most with long catalogues: OpenAI's reference warns of it for arguments.

    YAML: ``- llm: first call asks for a tool that there is not``
    """

    kind = "hallucinated_tool"
    phrases = ("asks for a tool that there is not",)
    name: str = "consultar_oraculo"

    def reply(self, reply: Reply, prompt: Prompt, dice: Dice) -> Reply:
        """Ask for it in place of the others."""
        calls = tuple(replace(call, tool=self.name) for call in reply.calls) or (Call(self.name),)
        return replace(reply, calls=calls)
