"""Whatever keeps a call waiting and however it ends, no job of it goes on at GRACE: it would cost, and nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import anyio
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.after import jobs
from tzzr_scenarios.stage import staged

WAITING = (
    "stuck_in_queue",
    "throttled_capacity",
    "cold_start_delay",
    "execution_timeout",
    "executed_twice",
    "module_slow",
)
"""What keeps a job from its end and leaves the way to GRACE open, so that the job can be cancelled."""
PARTING_S = 3.0
"""Seconds after a call in which its last requests are answered."""

faults = st.sampled_from([*WAITING, None])
seconds = st.sampled_from([0.3, 0.6, 2.0, 6.0, 12.0])


@settings(max_examples=10)
@given(kind=faults, allowed=seconds, given_up=st.none() | seconds)
def test_a_call_that_has_ended_leaves_no_job_behind(kind: str | None, allowed: float, given_up: float | None) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        ended, left = runner.run(called(kind, allowed, given_up))
    event(ended)

    assert left.keys() <= {"COMPLETED", "CANCELLED", "FAILED"}
    assert ended == "a result" or kind is not None or given_up is not None or allowed < 1


async def called(kind: str | None, allowed: float, given_up: float | None) -> tuple[str, Mapping[str, int]]:
    """How a call ended, and the states of all jobs a moment later."""
    plan: list[Any] = [{"match": {"service": "grace"}, "effect": {"kind": kind}}] if kind else []
    async with staged(faults=plan, settings={"TZZR_CALL_TIMEOUT_S": str(allowed)}) as stage, stage.client() as client:
        ended = "given up"
        with anyio.move_on_after(float("inf") if given_up is None else given_up):
            result = await client.call_tool("resumir", {"texto": "La factura de la luz vence el lunes."})
            ended = "an error" if result.is_error else "a result"
        await stage.world.seams.clock.sleep(PARTING_S)
        return ended, jobs(stage.world.trace)
