"""What the model answers to a prompt: by its script, else by what it finds in the catalogue, changed by faults."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace

from tzzr_mcp.seams import Dice
from tzzr_mocks.llm.delivery import Delivery
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Call, Reply
from tzzr_mocks.llm.script import Script

NO_ANSWER = "No tengo guion para esa pregunta."
"""What a scripted model says when no rule applies: a scenario that meets it has forgotten one."""


def think(prompt: Prompt, script: Script | None) -> Reply:
    """The reply before faults; without a script the model chooses by itself."""
    reply = _chosen(prompt) if script is None else _scripted(prompt, script)
    return _obedient(reply, prompt)


def _chosen(prompt: Prompt) -> Reply:
    """The reply of a model without a script; its stems and rules are loaded when the first such question comes."""
    reply: Reply = importlib.import_module("tzzr_mocks.llm.choosing").choose(prompt)
    return reply


def _scripted(prompt: Prompt, script: Script) -> Reply:
    for rule in script:
        if rule.when.fits(prompt) and not (rule.when.result is not None and not prompt.rounds):
            return rule.reply(prompt)
    return Reply(NO_ANSWER)


def _obedient(reply: Reply, prompt: Prompt) -> Reply:
    """As ``tool_choice`` and ``parallel_tool_calls`` demand."""
    calls: Sequence[Call] = reply.calls
    if prompt.choice == "none":
        return replace(reply, calls=(), text=reply.text or NO_ANSWER)
    if prompt.choice not in ("auto", "required"):
        calls = [call for call in calls if call.tool == prompt.choice] or [Call(prompt.choice)]
    elif prompt.choice == "required" and not calls and prompt.tools:
        calls = [Call(prompt.tools[0].name)]
    return replace(reply, calls=tuple(calls if prompt.parallel else calls[:1]))


def spoil(
    reply: Reply, delivery: Delivery, prompt: Prompt, faults: Sequence[ModelFault], dice: Dice
) -> tuple[Reply, Delivery]:
    """Reply and delivery as the faults leave them."""
    for fault in faults:
        reply, delivery = fault.reply(reply, prompt, dice), fault.delivery(delivery)
    return reply.within(prompt.limit, prompt.stop), delivery
