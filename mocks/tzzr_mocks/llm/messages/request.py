"""Reads a request to ``/v1/messages``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.parameters import FLAG, LIST, OBJECT, TEXT, Json, Parameters, whole, within
from tzzr_mocks.llm.prompt import Asked, Choice, Message, Prompt, Result, Tool
from tzzr_mocks.llm.reading import need, one_of, refuse_unknown, schema_of, text_of, texts, words

PLAIN: Final[Mapping[str, Json]] = {
    "cache_control": OBJECT, "container": {"type": ["string", "object", "null"]}, "context_management": OBJECT,
    "inference_geo": TEXT, "mcp_servers": LIST, "metadata": OBJECT, "output_config": OBJECT, "service_tier": TEXT,
    "speed": TEXT, "stream": FLAG, "temperature": within(0, 1), "thinking": OBJECT, "top_k": whole(0, 2**31 - 1),
    "top_p": within(0, 1),
}  # fmt: skip
"""Parameters that steer sampling, thinking and caching: of these a value is checked, and most change nothing here."""
FIELDS: Final = frozenset(
    {"max_tokens", "messages", "model", "stop_sequences", "system", "tool_choice", "tools", *PLAIN}
)
"""Every parameter of the API."""
_PARALLEL: Final[Json] = {"properties": {"disable_parallel_tool_use": {"type": "boolean"}}}
_PARAMETERS: Final = Parameters({**PLAIN, "tool_choice": _PARALLEL})
_CHOICES: Final[Mapping[str, Choice]] = {"auto": "auto", "any": "required", "none": "none"}


def read(given: Mapping[str, Any], *, counting: bool = False) -> Prompt:
    """The prompt that a body is; one that is only counted needs no ``max_tokens``.

    Raises:
        ModelError: 400, something in it is wrong; says what and where.
    """
    refuse_unknown(given, FIELDS)
    _PARAMETERS.check(given)
    messages = need(given.get("messages"), list, "messages")
    if not messages:
        raise ModelError(400, "messages is empty; at least one is needed.")
    conversation = tuple(_message(one, f"messages.{number}") for number, one in enumerate(messages))
    _refuse_unanswered(conversation)
    choice = given.get("tool_choice")
    choice = {"type": "auto"} if choice is None else need(choice, dict, "tool_choice")
    return Prompt(
        model=need(given.get("model"), str, "model"),
        messages=conversation,
        system=text_of(given.get("system"), "system"),
        tools=tuple(_tools(given.get("tools"))),
        choice=_choice(choice),
        parallel=choice.get("disable_parallel_tool_use") is not True,
        limit=None if counting and "max_tokens" not in given else _limit(given),
        stop=texts(given.get("stop_sequences", []), "stop_sequences"),
        stream=given.get("stream") is True,
    )


def _limit(given: Mapping[str, Any]) -> int:
    limit: int = need(given.get("max_tokens"), int, "max_tokens")
    if limit < 1:
        raise ModelError(400, f"max_tokens is {limit}; at least 1 is needed.")
    return limit


def _message(given: Any, where: str) -> Message:
    role = one_of(need(given, dict, where).get("role"), ("user", "assistant"), f"{where}.role")
    content = need(given.get("content"), (str, list), f"{where}.content")
    if isinstance(content, str):
        return Message("user" if role == "user" else "assistant", content)
    blocks = [need(block, dict, f"{where}.content.{number}") for number, block in enumerate(content)]
    text = text_of(content, where)
    if role == "user":
        return Message("user", text, results=tuple(_results(blocks, where)))
    return Message("assistant", text, tuple(_asked(blocks, where)))


def _results(blocks: Sequence[Mapping[str, Any]], where: str) -> Iterator[Result]:
    for block in blocks:
        if block.get("type") == "tool_result":
            call = need(block.get("tool_use_id"), str, f"{where}.tool_use_id")
            failed = need(block.get("is_error", False), bool, f"{where}.is_error")
            yield Result(call, text_of(block.get("content"), where), failed)


def _asked(blocks: Sequence[Mapping[str, Any]], where: str) -> Iterator[Asked]:
    for block in blocks:
        if block.get("type") == "tool_use":
            arguments = need(block.get("input"), dict, f"{where}.input")
            name, call = need(block.get("name"), str, f"{where}.name"), need(block.get("id"), str, f"{where}.id")
            yield Asked(call, name, json.dumps(arguments, ensure_ascii=False))


def _refuse_unanswered(conversation: Sequence[Message]) -> None:
    for before, after in zip((Message("user"), *conversation), (*conversation, Message("user")), strict=True):
        asked, answered = [call.id for call in before.asked], [result.call for result in after.results]
        if missing := [call for call in asked if call not in answered]:
            raise ModelError(400, f"Each tool_use needs its tool_result in the next message; it lacks: {missing[0]}.")
        if strange := [call for call in answered if call not in asked]:
            raise ModelError(400, f"tool_result {strange[0]!r} answers no tool_use of the message before.")


def _tools(given: Any) -> Iterator[Tool]:
    for number, one in enumerate(need(given, list, "tools") if given is not None else ()):
        where = f"tools.{number}"
        name = need(need(one, dict, where).get("name"), str, f"{where}.name")
        schema = schema_of(one.get("input_schema"), f"{where}.input_schema")
        if schema.get("type") != "object":
            raise ModelError(400, f"{where}.input_schema.type is not object.")
        yield Tool(name, words(one.get("description"), f"{where}.description"), schema)


def _choice(given: Mapping[str, Any]) -> Choice | str:
    kind = given.get("type")
    if kind == "tool":
        name: str = need(given.get("name"), str, "tool_choice.name")
        return name
    return _CHOICES[one_of(kind, tuple(_CHOICES), "tool_choice.type")]
