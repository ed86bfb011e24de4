"""Cells of tables in requests to a model: there must be none (seed 1: structured data does not pass through the LLM)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tzzr_mocks.control import Exchange

_DIGITS = 4
"""Digits that a number has at least, to be told from one that stands in any text."""
_LETTERS = 8
"""Characters that a text has at least, for the same reason."""
_EDGE = r"(?<![\w.,]){}(?![\w]|[.,]\d)"


def in_requests(results: Sequence[Mapping[str, Any]], exchanges: Iterable[Exchange]) -> Iterator[tuple[Exchange, str]]:
    """Each request to a model with a cell that stands in it and in no tool's text, question or argument.

    ``results`` are what the gateway had of the server: ``texts`` and ``structured``.
    """
    asked = [exchange for exchange in exchanges if exchange.service == "llm"]
    cells = {written for result in results for cell in _cells(result) for written in _written(cell)}
    if not asked or not cells:
        return
    known = "\n".join([*(text for result in results for text in result["texts"]), *_own(asked)])
    hidden = [cell for cell in sorted(cells) if not _stands(cell, known)]
    for exchange in asked:
        shown = "\n".join(_strings((exchange.json() or {}).get("messages")))
        yield from ((exchange, cell) for cell in hidden if _stands(cell, shown))


def _cells(result: Mapping[str, Any]) -> Iterator[Any]:
    for table in (result["structured"] or {}).get("tables") or ():
        for row in table["rows"]:
            yield from row


def _written(cell: Any) -> Iterator[str]:
    """The ways in which a cell may be written; none for one too short to be told."""
    if isinstance(cell, str) and len(cell) >= _LETTERS:
        yield cell
    elif isinstance(cell, int | float) and not isinstance(cell, bool):
        plain = str(cell)
        if sum(each.isdigit() for each in plain) >= _DIGITS:
            grouped = f"{cell:,}"
            yield from {plain, plain.replace(".", ","), grouped, grouped.translate(str.maketrans(",.", ".,"))}


def _stands(cell: str, text: str) -> bool:
    return cell in text and re.search(_EDGE.format(re.escape(cell)), text) is not None


def _own(asked: Sequence[Exchange]) -> Iterator[str]:
    """What the person and the model itself have said: questions, and the arguments of tools."""
    for exchange in asked:
        for message in (exchange.json() or {}).get("messages") or ():
            if message.get("role") == "user":
                yield from _questions(message.get("content"))
            yield from _strings(message.get("tool_calls"))
            yield from (text for block in _blocks(message, "tool_use") for text in _strings(block["input"]))


def _questions(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    else:
        yield from (block["text"] for block in content or () if block.get("type") == "text")


def _blocks(message: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    content = message.get("content")
    return (block for block in (content if isinstance(content, list) else ()) if block.get("type") == kind)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _each(value.values())
    elif isinstance(value, list):
        yield from _each(value)
    elif value is not None:
        yield str(value)


def _each(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        yield from _strings(value)
