"""How many tokens a request and a reply are, by the estimate of `tzzr_mocks.llm.reply.tokens`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tzzr_mocks.llm.prompt import Message, Prompt
from tzzr_mocks.llm.reply import Reply, tokens

PER_MESSAGE = 4
"""Tokens for the frame of each message."""


def of_prompt(prompt: Prompt) -> int:
    """Tokens of a request: the words, the catalogue, and a few for each message."""
    return tokens(*_texts(prompt)) + PER_MESSAGE * (len(prompt.messages) + bool(prompt.system))


def _texts(prompt: Prompt) -> Iterator[str]:
    yield prompt.system
    for tool in prompt.tools:
        yield f"{tool.name} {tool.description} {json.dumps(tool.schema, ensure_ascii=False)}"
    for message in prompt.messages:
        yield from _said(message)


def _said(message: Message) -> Iterator[str]:
    yield message.text
    for asked in message.asked:
        yield f"{asked.name} {asked.arguments}"
    for result in message.results:
        yield result.text


def of_reply(reply: Reply) -> int:
    """Tokens of a reply; never 0, because the end of an empty one is a token too."""
    return max(1, tokens(reply.text, reply.refusal, *(f"{call.tool} {call.text}" for call in reply.calls)))
