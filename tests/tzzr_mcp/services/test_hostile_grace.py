"""Whatever GRACE answers, a call ends within its deadline, in an answer or a typed failure, and no secret leaks."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tzzr_mcp.services.worlds import (
    KEY,
    a_request,
    an_answer,
    new_router,
    new_seams,
    new_upstream,
    nobody,
    script,
    within,
)
from tzzr_mcp.contract.errors import ContractError, Failure
from tzzr_mcp.services.answers import Answer
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.runpod import RunPod
from tzzr_mocks.network.virtual import new_virtual_loop

REQUEST = a_request()

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.just(KEY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6) | st.just(KEY), inner, max_size=3),
    max_leaves=6,
)
fields = st.sampled_from(["id", "status", "output", "error", "delayTime"])
states = st.sampled_from(["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT", "ODD"])
jobs = st.builds(
    lambda state, more, base: {**base, "status": state, **more},
    states,
    st.dictionaries(fields, values, max_size=3),
    st.just({"id": "job-1-u1", "output": an_answer(REQUEST)}),
)
bodies = st.one_of(jobs.map(json.dumps), values.map(json.dumps), st.text(max_size=20)).map(str.encode)
statuses = st.sampled_from([200] * 6 + [201, 302, 400, 401, 403, 404, 413, 429, 500, 502, 524])
headers = st.sampled_from([{}, {"Retry-After": "1"}, {"Retry-After": "9999"}, {"Retry-After": KEY}])
replies = st.one_of(
    st.builds(lambda status, body, head: httpx.Response(status, content=body, headers=head), statuses, bodies, headers),
    st.sampled_from([httpx.ConnectError(KEY), httpx.ReadTimeout(KEY), httpx.RemoteProtocolError(KEY)]),
)
broken_answers = st.builds(
    lambda name, value: {**an_answer(REQUEST), name: value},
    st.sampled_from(sorted(an_answer(REQUEST))),
    values,
)


async def ends(run: list[Any], status: list[Any]) -> tuple[Answer | Failure, float]:
    """How one call of 50 seconds ends, and after how long."""
    seams, router = new_seams(), new_router()
    router.post("/grace/run").mock(side_effect=script(*run))
    router.get(url__regex=r".*/status/.*").mock(side_effect=script(*status))
    router.post(url__regex=r".*/cancel/.*").mock(side_effect=script(httpx.Response(200, json={"status": "CANCELLED"})))
    grace = Grace(RunPod(new_upstream(router, seams), "grace"))
    begun = seams.clock.monotonic()
    end: Answer | Failure
    try:
        end = await grace.run(REQUEST, within(50, seams), nobody)
    except ContractError as error:
        end = error.failure
    return end, seams.clock.monotonic() - begun


def check(run: list[Any], status: list[Any]) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        end, spent = runner.run(ends(run, status))
    assert spent <= 50 + 1e-6
    if isinstance(end, Failure):
        told = json.dumps(end.as_json(), ensure_ascii=False)
        assert KEY not in told
        assert end.message.startswith("No se pudo clasificar el texto: ")
    else:
        assert end.result == an_answer(REQUEST)["result"]


@settings(max_examples=60)
@given(run=st.lists(replies, min_size=1, max_size=3), status=st.lists(replies, min_size=1, max_size=4))
def test_any_sequence_of_replies_ends_in_time_and_leaks_nothing(run: list[Any], status: list[Any]) -> None:
    check(run, status)


@settings(max_examples=60)
@given(output=broken_answers)
def test_an_answer_with_one_part_replaced_is_never_taken_for_something_else(output: Any) -> None:
    queued = httpx.Response(200, json={"id": "job-1-u1", "status": "IN_QUEUE"})
    done = httpx.Response(200, content=json.dumps({"id": "job-1-u1", "status": "COMPLETED", "output": output}).encode())
    check([queued], [done])
