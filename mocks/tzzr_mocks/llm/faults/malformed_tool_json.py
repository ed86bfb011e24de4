"""A tool's arguments that are no JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Reply


@dataclass(frozen=True)
class MalformedToolJson(ModelFault):
    """The arguments of each tool asked for lack their last character, so that no parser takes them.

    Seen with small models, and whenever ``max_tokens`` ends a call: OpenAI's reference warns that the arguments need
    not be valid JSON.

    YAML: ``- llm: first call writes malformed json``
    """

    kind = "malformed_tool_json"
    phrases = ("writes malformed json",)

    def reply(self, reply: Reply, prompt: Prompt, dice: Dice) -> Reply:
        """Cut the arguments."""
        return replace(reply, calls=tuple(replace(call, raw=call.text[:-1] or "{") for call in reply.calls))
