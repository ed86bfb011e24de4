"""A long answer in parts as a client sees it: over each transport, in both eras, while it is being written."""

from __future__ import annotations

from typing import Any

import pytest

from tzzr_scenarios.observation import Observation, of_tool
from tzzr_scenarios.stage import ERAS, Era, staged
from tzzr_scenarios.wires import Wire

TEXT = " ".join(f"La junta de vecinos aprueba el punto número {number} del orden del día." for number in range(12))
ASKING = {"texto": TEXT, "idioma_destino": "en", "idioma_origen": "es"}
HEAD = "): "


async def watched(era: Era, wire: Wire, *faults: str) -> tuple[Observation, list[tuple[float, str]]]:
    """The result of one translation, and what was told before it, with how long before."""
    told: list[tuple[float, str]] = []
    async with staged(faults=["grace: TRANSLATOR takes 8s", *faults]) as stage, stage.client(era, wire) as client:
        clock = stage.world.seams.clock

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            told.append((clock.monotonic(), message or ""))

        meta: Any = {"progressToken": "parts"}
        result = await client.call_tool("traducir", ASKING, progress_callback=hear, meta=meta)
        end = clock.monotonic()
    return of_tool(result, end), [(end - at, message) for at, message in told]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("wire", ["memory", "http", "sse"])
async def test_the_pieces_come_while_it_is_written_and_are_the_beginning_of_the_result(era: Era, wire: Wire) -> None:
    seen, told = await watched(era, wire)
    pieces = [(before, message.partition(HEAD)[2]) for before, message in told if message.startswith("GRACE escribe")]
    assert len(pieces) >= 4
    assert pieces[0][0] > 5, "the first piece comes long before the end"
    text = "".join(piece for _, piece in pieces)
    assert len(text) > len(seen.data["text"]) / 2
    assert seen.data["text"].startswith(text)


async def test_the_result_is_the_same_whether_anybody_watched_or_not() -> None:
    seen, _ = await watched(ERAS[0], "memory")
    async with staged(faults=["grace: TRANSLATOR takes 8s"]) as stage, stage.client() as client:
        plain = of_tool(await client.call_tool("traducir", ASKING), 0)
    assert seen.text == plain.text
    assert seen.data == plain.data


async def test_a_stream_that_never_tells_costs_the_pieces_and_not_the_answer() -> None:
    seen, told = await watched(ERAS[0], "memory", "grace: first job has stream_never_final")
    assert seen.error is None
    assert not any(message.startswith("GRACE escribe") for _, message in told)
