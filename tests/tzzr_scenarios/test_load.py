"""Two hundred callers at once while every kind of fault strikes: no answer is lost, late, or somebody else's."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from typing import Any

import pytest

from tzzr_scenarios import coverage, verdicts
from tzzr_scenarios.observation import Observation, of_tool
from tzzr_scenarios.stage import offered, staged

CALLERS = 200
SHARE = 0.1
"""Of the occasions that a fault has, on so many one of any kind strikes."""
DEADLINE_S = 50.0
SETTINGS = {"TZZR_MAX_CALLS": "400", "GRACE_MAX_CALLS": "400"}


async def faults() -> list[dict[str, Any]]:
    """Every kind that a call of generar_hash can meet, each as likely as the others."""
    kinds = coverage.reachable(await offered())["generar_hash"]
    chance = {"probability": SHARE / len(kinds)}
    return [{"match": {"service": "grace"}, "effect": {"kind": kind}, "schedule": chance} for kind in kinds]


@pytest.mark.slow
async def test_every_caller_gets_its_own_answer_or_a_sentence_within_its_deadline() -> None:
    texts = [f"Pregunta número {number}" for number in range(CALLERS)]
    async with staged(7, faults=await faults(), settings=SETTINGS) as stage, stage.client() as client:
        clock = stage.world.seams.clock

        async def call(text: str) -> Observation:
            begun = clock.monotonic()
            return of_tool(await client.call_tool("generar_hash", {"texto": text}), clock.monotonic() - begun)

        seen = await asyncio.gather(*map(call, texts))
        evidence = verdicts.Evidence(
            tuple(stage.world.trace), tuple(stage.world.journal), seen, frozenset(), DEADLINE_S
        )

    assert len(seen) == CALLERS
    for text, answer in zip(texts, seen, strict=True):
        assert answer.elapsed <= DEADLINE_S + verdicts.SLACK_S
        if answer.error is None:
            assert answer.data["digest"] == hashlib.sha256(text.encode()).hexdigest()
        else:
            assert answer.text.endswith(".")
    outcomes = Counter(answer.outcome for answer in seen)
    assert outcomes["ok"] > CALLERS / 2, outcomes
    assert any(event.kind == "fault" for event in evidence.trace)
    assert verdicts.judged(evidence) == []
