"""How the model chooses without a script: by the words of the question and of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from tzzr_mocks.llm.choosing.planning import Plan, plan
from tzzr_mocks.llm.choosing.telling import asking, helpless, told
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Call, Reply

__all__ = ["choose"]


def choose(prompt: Prompt) -> Reply:
    """The tools of the next round, or the answer."""
    questions = [one.text for one in prompt.messages if one.role == "user" and one.text.strip()]
    planned = plan(questions[-2:], prompt.tools)
    done = len(prompt.rounds)
    if done < len(planned.rounds) and not (done and prompt.rounds[-1].results[-1].failed):
        return Reply(calls=tuple(_ready(call, planned, prompt) for call in planned.rounds[done]))
    if done:
        return Reply(told(prompt))
    return Reply(asking(planned.lacking) if planned.lacking else helpless(prompt.tools))


def _ready(call: Call, planned: Plan, prompt: Prompt) -> Call:
    """The call, with the text of the round before in the argument that was waiting for it."""
    argument = planned.after.get(call.tool)
    if argument is None or not prompt.rounds:
        return call
    return replace(call, arguments={**call.arguments, argument: prompt.rounds[-1].results[-1].text})
