"""A result can be read for as long as RunPod keeps it and no longer, whoever asks for it first after that (runpod.md §7)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from hypothesis import event, given
from hypothesis import strategies as st

from tests.tzzr_mocks.grace.caller import QUICK, calling
from tzzr_mocks.grace import Assignment, Deployment, Limits
from tzzr_mocks.network.virtual import new_virtual_loop

KEEP_RUN_S, KEEP_RUNSYNC_S = 30 * 60.0, 60.0
LOOK_S = 0.001
WORK = {"seconds": 0.5}
ways = st.sampled_from(["status", "status-sync", "stream", "cancel"])


async def work(assignment: Assignment) -> object:
    """Half a second of it."""
    await assignment.seams.clock.sleep(assignment.input["seconds"])
    return {"done": True}


@given(sync=st.booleans(), share=st.sampled_from([0.0, 0.5, 0.99, 1.01, 2.0]), way=ways)
def test_a_result_is_there_until_its_time_is_over_and_gone_from_then_on(sync: bool, share: float, way: str) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        status = runner.run(read_after(sync, share, way))
    event(f"{status}")

    assert status == (200 if share < 1 else 404)


async def read_after(sync: bool, share: float, way: str) -> int:
    """The status of one request about a job, this share of its time after its end; nothing else is asked meanwhile."""
    keep_s = KEEP_RUNSYNC_S if sync else KEEP_RUN_S
    async with calling(Deployment(work, warm=1, most=1), options=replace(QUICK, limits=Limits.off())) as runpod:
        job = (await runpod.runsync(dict(WORK), "runsync?wait=5000"))["id"] if sync else await runpod.run(dict(WORK))
        await runpod.clock.sleep((0.0 if sync else 0.5) + LOOK_S + share * keep_s)
        response = await runpod.ask("POST" if way == "cancel" else "GET", f"{way}/{job}")
        return response.status_code
