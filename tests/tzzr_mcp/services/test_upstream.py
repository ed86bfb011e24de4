"""One upstream with its retries: what is tried again is told in the trace, once for each time."""

from __future__ import annotations

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import TRACE_ID, new_router, new_seams, new_upstream, within
from tzzr_mcp.services.http import Request
from tzzr_mcp.services.troubles import UpstreamError

RUN = Request("POST", "/run", body=b"{}", about={"module": "HASHER"})
PLACE = {"service": "grace", "method": "POST", "path": "/run", "trace_id": str(TRACE_ID), "module": "HASHER"}


async def test_a_retry_is_an_event_of_its_own_between_the_two_requests() -> None:
    seams, router = new_seams(), new_router()
    answers = [httpx.Response(503), httpx.Response(429, headers={"Retry-After": "7"}), httpx.Response(200)]
    router.post("/run").mock(side_effect=answers)
    await new_upstream(router, seams).ask(RUN, lambda answer: answer, within(50, seams), TRACE_ID)

    assert [event.kind for event in seams.trace] == [
        *("upstream.request", "upstream.answer", "retry") * 2,
        *("upstream.request", "upstream.answer"),
    ]
    first, second = (event for event in seams.trace if event.kind == "retry")
    delay = first.details["delay_s"]
    assert first.details == {**PLACE, "attempt": 2, "reason": "broken", "delay_s": delay}
    assert second.details == {**PLACE, "attempt": 3, "reason": "rate_limited", "delay_s": 7}
    assert second.at == pytest.approx(first.at + delay, abs=1e-6)


async def test_what_is_not_tried_again_is_no_retry() -> None:
    seams, router = new_seams(), new_router()
    router.post("/run").mock(return_value=httpx.Response(401))
    with pytest.raises(UpstreamError):
        await new_upstream(router, seams).ask(RUN, lambda answer: answer, within(50, seams), TRACE_ID)
    assert [event.kind for event in seams.trace] == ["upstream.request", "upstream.answer"]
