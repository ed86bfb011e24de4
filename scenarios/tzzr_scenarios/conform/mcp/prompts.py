"""Prompts: their arguments, and what getting one gives (specification §5)."""

from __future__ import annotations

import json
from typing import Final

from tzzr_scenarios.conform.mcp.book import BOOK
from tzzr_scenarios.conform.mcp.offered import PROMPTS
from tzzr_scenarios.conform.mcp.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

_TEXT: Final = "Texto de prueba número 4711."


async def _listed(probe: Probe) -> list[str]:
    """The specification's prompts that are listed. Raises `NotJudged`: none is."""
    items, _ = await probe.every("prompts/list", "prompts")
    names = [name for name in PROMPTS if name in [item.get("name") for item in items]]
    if not names:
        raise NotJudged("none of the specification's prompts is listed; see names.prompts")
    return names


async def _get(probe: Probe, name: str) -> Answer:
    needed = {argument: _TEXT for argument, required in PROMPTS[name].items() if required}
    return await probe.ask("prompts/get", {"name": name, "arguments": needed})


@BOOK.rule("prompts.arguments", "specification §5")
async def takes_the_arguments_of_the_specification(probe: Probe) -> None:
    """Each of the three prompts lists its arguments, and which of them are required."""
    items, answer = await probe.every("prompts/list", "prompts")
    known = [item for item in items if item.get("name") in PROMPTS]
    if not known:
        raise NotJudged("none of the specification's prompts is listed; see names.prompts")
    for item in known:
        came = {each.get("name"): bool(each.get("required")) for each in item.get("arguments") or ()}
        expected = dict(PROMPTS[item["name"]])
        hold(answer, came == expected, f"arguments of {item['name']}", expected, came)


@BOOK.rule("prompts.messages", "MCP: prompts/get")
async def gives_messages(probe: Probe) -> None:
    """A prompt gives at least one message, each of the user or the assistant and with content."""
    for name in await _listed(probe):
        answer = await _get(probe, name)
        messages = answer.at("result", "messages")
        kept = isinstance(messages, list) and bool(messages) and all(
            isinstance(each, dict) and each.get("role") in ("user", "assistant") and isinstance(each.get("content"), dict)
            for each in messages
        )  # fmt: skip
        hold(answer, kept, "result.messages", [{"role": "user", "content": {}}], answer.trouble or messages)


@BOOK.rule("prompts.text", "specification §5")
async def puts_the_argument_into_the_prompt(probe: Probe) -> None:
    """The text that a prompt was given stands in its messages."""
    for name in await _listed(probe):
        answer = await _get(probe, name)
        told = json.dumps(answer.listed("messages"), ensure_ascii=False)
        hold(answer, _TEXT in told, "result.messages", f"with {_TEXT!r}", told)


@BOOK.rule("prompts.optional", "specification §5.2: contexto")
async def takes_what_is_optional(probe: Probe) -> None:
    """``clasificar_documento`` takes ``contexto``, and puts it into the prompt."""
    arguments = {"contenido": _TEXT, "contexto": "Del archivo municipal."}
    answer = await probe.ask("prompts/get", {"name": "clasificar_documento", "arguments": arguments})
    told = json.dumps(answer.listed("messages"), ensure_ascii=False)
    hold(answer, "Del archivo municipal." in told, "result.messages", "with the context", told)


@BOOK.rule("prompts.missing", "MCP: prompts/get")
async def wants_what_is_required(probe: Probe) -> None:
    """A prompt without a required argument is error -32602."""
    for name in await _listed(probe):
        answer = await probe.ask("prompts/get", {"name": name, "arguments": {}})
        hold(answer, answer.code == -32602, "error.code", -32602, answer.code)


@BOOK.rule("prompts.missing-named", "MCP: prompts/get")
async def names_what_is_missing(probe: Probe) -> None:
    """That error's message names the argument."""
    for name in await _listed(probe):
        answer = await probe.ask("prompts/get", {"name": name, "arguments": {}})
        if answer.code == NOTHING:
            raise NotJudged("it is no error; see prompts.missing")
        needed = next(argument for argument, required in PROMPTS[name].items() if required)
        came = str(answer.at("error", "message"))
        hold(answer, needed in came, "error.message", f"names {needed}", came)


@BOOK.rule("prompts.unknown", "MCP: prompts/get")
async def knows_no_such_prompt(probe: Probe) -> None:
    """A prompt that there is not is error -32602."""
    answer = await probe.ask("prompts/get", {"name": "no_such_prompt"})
    hold(answer, answer.code == -32602, "error.code", -32602, answer.code)
