"""Two hundred callers while every kind of fault strikes: no answer is lost, late, or somebody else's; nothing stays."""

from __future__ import annotations

import asyncio

import pytest

from tests.tzzr_scenarios.callers import CALLERS, DEADLINE_S, SETTINGS, Question, faults, judge, question
from tzzr_mcp.server.metrics import Metrics
from tzzr_scenarios import verdicts
from tzzr_scenarios.observation import Observation, of_tool
from tzzr_scenarios.stage import connected, staged

LOAD_S = 600.0
"""Ten minutes of virtual time."""


@pytest.mark.parametrize(
    ("wire", "rounds"), [(False, 1), pytest.param(True, 4, marks=pytest.mark.slow)], ids=["replies", "network too"]
)
async def test_ten_minutes_of_callers_get_their_own_answers_and_leave_nothing_behind(wire: bool, rounds: int) -> None:
    async with (
        staged(7, faults=await faults(wire=wire), settings=SETTINGS, starting="unlimited") as stage,
        stage.server() as server,
        connected(server) as client,
    ):
        clock, dice, metrics = stage.world.seams.clock, stage.world.seams.dice.named("callers"), Metrics(server)

        async def call(number: int, at: float) -> tuple[Question, Observation]:
            await clock.sleep(at)
            asked, begun = question(number), clock.monotonic()
            result = await client.call_tool(asked.tool, asked.arguments)
            return asked, of_tool(result, clock.monotonic() - begun)

        for number in range(4):
            await call(number, 0)
        before = len(asyncio.all_tasks())
        moments = [dice.uniform(0.0, LOAD_S) for _ in range(CALLERS * rounds)]
        answers = await asyncio.gather(*(call(number, at) for number, at in enumerate(moments)))
        await clock.sleep(60)
        left = len(asyncio.all_tasks())
        gauges = {
            (sample.name, sample.labels["service"]): sample.value
            for family in metrics.registry.collect()
            for sample in family.samples
            if sample.name in ("tzzr_upstream_calls", "tzzr_upstream_queue", "tzzr_upstream_in_flight")
        }

    assert len(judge(answers)) > 5, "faults of many kinds must show"
    assert left <= before, "a call left a task behind"
    assert set(gauges.values()) == {0.0}, gauges
    assert len(server.runtime.running) == 0
    assert metrics._begun == {}, "a call or request never ended"


@pytest.mark.slow
async def test_all_callers_at_the_same_instant_break_no_verdict() -> None:
    async with staged(7, faults=await faults(), settings=SETTINGS) as stage, stage.client() as client:
        clock = stage.world.seams.clock

        async def call(asked: Question) -> tuple[Question, Observation]:
            begun = clock.monotonic()
            return asked, of_tool(await client.call_tool(asked.tool, asked.arguments), clock.monotonic() - begun)

        answers = await asyncio.gather(*(call(question(number)) for number in range(CALLERS)))
        seen = [each for _, each in answers]
        evidence = verdicts.Evidence(
            tuple(stage.world.trace), tuple(stage.world.journal), seen, stage.world.secrets, DEADLINE_S
        )

    judge(answers)
    assert any(event.kind == "fault" for event in evidence.trace)
    assert verdicts.judged(evidence) == []
