"""Reads a request to ``/v1/chat/completions``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tzzr_mocks.llm.completions.calls import asked_of, refuse_unanswered
from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.parameters import FLAG, LIST, OBJECT, TEXT, Json, Parameters, whole, within
from tzzr_mocks.llm.prompt import Choice, Message, Prompt, Result, Tool
from tzzr_mocks.llm.reading import need, one_of, refuse_unknown, schema_of, text_of, texts, words

PLAIN: Final[Mapping[str, Json]] = {
    "frequency_penalty": within(-2, 2), "logit_bias": OBJECT, "logprobs": FLAG, "metadata": OBJECT, "modalities": LIST,
    "moderation": OBJECT, "parallel_tool_calls": FLAG, "prediction": OBJECT, "presence_penalty": within(-2, 2),
    "prompt_cache_key": TEXT, "prompt_cache_options": OBJECT, "prompt_cache_retention": TEXT, "reasoning_effort": TEXT,
    "response_format": OBJECT, "safety_identifier": TEXT, "seed": whole(-(2**63), 2**63 - 1), "service_tier": TEXT,
    "store": FLAG, "stream": FLAG, "temperature": within(0, 2), "top_logprobs": whole(0, 20), "top_p": within(0, 1),
    "user": TEXT, "verbosity": TEXT,
}  # fmt: skip
"""Parameters that steer the sampling, or what is kept: of these a value is checked, and most change nothing here."""
_REFUSED: Final = ("functions", "function_call", "audio", "web_search_options")
"""Parameters that the fake does not play: refused, so that nobody relies on them."""
FIELDS: Final = frozenset(
    {
        "max_completion_tokens", "max_tokens", "messages", "model", "n", "stop", "stream_options", "tool_choice", "tools",
        *PLAIN, *_REFUSED,
    }
)  # fmt: skip
"""Every parameter of the API."""
_PARAMETERS: Final = Parameters({**PLAIN, "stream_options": OBJECT})
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ROLES: Final = ("system", "developer", "user", "assistant", "tool")


def read(given: Mapping[str, Any]) -> Prompt:
    """The prompt that a body is.

    Raises:
        ModelError: 400, something in it is wrong; says what and where.
    """
    refuse_unknown(given, FIELDS)
    _PARAMETERS.check(given)
    _refuse_unplayed(given)
    messages = need(given.get("messages"), list, "messages")
    if not messages:
        raise ModelError(400, "messages is empty; at least one is needed.", "empty_array", "messages")
    tools = tuple(_tools(given.get("tools")))
    refuse_unanswered(messages)
    return Prompt(
        model=need(given.get("model"), str, "model"),
        messages=tuple(_merged(messages)),
        system="\n".join(text for text in _system(messages)),
        tools=tools,
        choice=_choice(given.get("tool_choice"), tools),
        parallel=given.get("parallel_tool_calls") is not False,
        limit=_limit(given),
        stop=_stop(given.get("stop")),
        stream=given.get("stream") is True,
    )


def _refuse_unplayed(given: Mapping[str, Any]) -> None:
    for name in _REFUSED:
        if given.get(name) is not None:
            raise ModelError(400, f"This fake does not play {name}.", "unsupported_parameter", name)
    if given.get("n") not in (None, 1):
        raise ModelError(400, "This fake gives one choice; leave n out.", "unsupported_value", "n")
    if given.get("stream_options") is not None and given.get("stream") is not True:
        raise ModelError(400, "stream_options goes with stream alone.", "invalid_value", "stream_options")


def _system(messages: Sequence[Any]) -> Iterator[str]:
    for number, one in enumerate(messages):
        if one.get("role") in ("system", "developer"):
            yield text_of(one.get("content"), f"messages[{number}].content")


def _merged(messages: Sequence[Any]) -> Iterator[Message]:
    """The conversation, in which the results that follow one message are one."""
    results: list[Result] = []
    for number, one in enumerate(messages):
        where = f"messages[{number}]"
        role = one_of(need(one, dict, where).get("role"), _ROLES, f"{where}.role")
        if role == "tool":
            results.append(Result(one["tool_call_id"], text_of(one.get("content"), f"{where}.content")))
            continue
        if results:
            yield Message("user", results=tuple(results))
            results = []
        if role == "user":
            yield Message("user", text_of(need(one.get("content"), (str, list), f"{where}.content"), where))
        elif role == "assistant":
            yield Message("assistant", text_of(one.get("content"), f"{where}.content"), tuple(asked_of(one, where)))
    if results:
        yield Message("user", results=tuple(results))


def _tools(given: Any) -> Iterator[Tool]:
    for number, one in enumerate(need(given, list, "tools") if given is not None else ()):
        where = f"tools[{number}]"
        one_of(need(one, dict, where).get("type"), ("function",), f"{where}.type")
        function = need(one.get("function"), dict, f"{where}.function")
        name = need(function.get("name"), str, f"{where}.function.name")
        if not _TOOL_NAME.fullmatch(name):
            raise ModelError(400, f"{name!r} is no name of a function.", "invalid_value", f"{where}.function.name")
        given_schema = function.get("parameters")
        schema = {} if given_schema is None else schema_of(given_schema, f"{where}.function.parameters")
        if schema and schema.get("type") != "object":
            raise ModelError(
                400, f"The schema of {name!r} is not of type object.", "invalid_function_parameters", where
            )
        yield Tool(name, words(function.get("description"), f"{where}.function.description"), schema)


def _choice(given: Any, tools: Sequence[Tool]) -> Choice | str:
    if given is None:
        return "auto"
    if not tools:
        raise ModelError(400, "tool_choice goes with tools alone.", "invalid_value", "tool_choice")
    if given in ("auto", "none", "required"):
        word: Choice = given
        return word
    named = need(given, dict, "tool_choice").get("function")
    name: str = need(need(named, dict, "tool_choice.function").get("name"), str, "tool_choice.function.name")
    if name not in [tool.name for tool in tools]:
        raise ModelError(400, f"tool_choice names {name!r}, which is no tool.", "invalid_value", "tool_choice")
    return name


def _limit(given: Mapping[str, Any]) -> int | None:
    for name in ("max_completion_tokens", "max_tokens"):
        if given.get(name) is not None:
            limit: int = need(given[name], int, name)
            if limit < 1:
                raise ModelError(400, f"{name} is {limit}; at least 1 is needed.", "integer_below_min_value", name)
            return limit
    return None


def _stop(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else texts(given, "stop")
