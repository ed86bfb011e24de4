"""Tools asked for and answered in the messages of ``/v1/chat/completions``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.prompt import Asked
from tzzr_mocks.llm.reading import need


def asked_of(message: Mapping[str, Any], where: str) -> Iterator[Asked]:
    """The tools that an assistant's message asks for."""
    for number, call in enumerate(message.get("tool_calls") or ()):
        place = f"{where}.tool_calls[{number}]"
        function = need(need(call, dict, place).get("function"), dict, f"{place}.function")
        yield Asked(
            need(call.get("id"), str, f"{place}.id"),
            need(function.get("name"), str, f"{place}.function.name"),
            need(function.get("arguments"), str, f"{place}.function.arguments"),
        )


def refuse_unanswered(messages: Sequence[Any]) -> None:
    """Refuse a conversation in which a tool was asked for and not answered at once, or answered unasked.

    Raises:
        ModelError: 400, as the API says it, or a message is no object.
    """
    open_calls: list[str] = []
    for number, one in enumerate(messages):
        where = f"messages[{number}]"
        if need(one, dict, where).get("role") == "tool":
            open_calls = _answered(open_calls, need(one.get("tool_call_id"), str, f"{where}.tool_call_id"), where)
            continue
        _refuse_open(open_calls, where)
        open_calls = [call.id for call in asked_of(one, where)] if one.get("role") == "assistant" else []
    _refuse_open(open_calls, f"messages[{len(messages) - 1}]")


def _answered(open_calls: list[str], call: str, where: str) -> list[str]:
    if call not in open_calls:
        raise ModelError(400, f"{where} answers {call!r}, which the message before did not ask for.", None, where)
    return [one for one in open_calls if one != call]


def _refuse_open(open_calls: Sequence[str], where: str) -> None:
    if open_calls:
        missing = ", ".join(open_calls)
        raise ModelError(400, f"Each tool_call_id needs an answer; before {where} it lacks: {missing}.", None, where)
