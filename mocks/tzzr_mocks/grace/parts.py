"""A long answer piece by piece, for a request whose envelope has ``stream`` (CONTRACT §2)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mocks.grace.engines import Answer

T = TypeVar("T")

Show = Callable[[str], None]
"""Takes one piece of a text as soon as it is written."""

LONGEST = 400
"""Characters of a piece that has neither a sentence's end nor a line's."""
_PIECE = re.compile(r"[^.!?…\n]+[.!?…\n]*\s*|[.!?…\n]+\s*")


def pieces_of(module: str, answer: Answer) -> list[str]:
    """The text of an answer in sentences and lines, nothing lost between them; none when it has no long text."""
    field = MODULES[module].written
    text = str(answer.result[field]) if field else ""
    return [piece[start : start + LONGEST] for piece in _PIECE.findall(text) for start in range(0, len(piece), LONGEST)]


async def yielded(trace_id: str, work: Callable[[Show], Awaitable[T]]) -> AsyncIterator[Any]:
    """What a worker yields: a part for each piece that ``work`` shows, numbered from 0, and its result at the end."""
    shown: asyncio.Queue[str | None] = asyncio.Queue()
    working = asyncio.ensure_future(work(shown.put_nowait))
    working.add_done_callback(lambda _: shown.put_nowait(None))
    try:
        number = 0
        while (text := await shown.get()) is not None:
            yield {"trace_id": trace_id, "part": number, "text": text}
            number += 1
        yield working.result()
    finally:
        working.cancel()
        await asyncio.wait({working})
