"""One upstream with its retries: what is tried again is told in the trace, once for each time."""

from __future__ import annotations

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import TRACE_ID, Hang, new_router, new_seams, new_upstream, script, within
from tzzr_mcp.services.http import Request
from tzzr_mcp.services.troubles import Trouble, UpstreamError

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
    assert {event.details["trace_id"] for event in seams.trace} == {str(TRACE_ID)}
    first, second = (event for event in seams.trace if event.kind == "retry")
    delay = first.details["delay_s"]
    assert first.details == {**PLACE, "attempt": 2, "reason": "broken", "delay_s": delay}
    assert second.details == {**PLACE, "attempt": 3, "reason": "rate_limited", "delay_s": 7}
    assert second.at == pytest.approx(first.at + delay, abs=1e-6)
    assert delay == round(delay, 6)


async def test_what_is_not_tried_again_is_no_retry() -> None:
    seams, router = new_seams(), new_router()
    router.post("/run").mock(return_value=httpx.Response(401))
    with pytest.raises(UpstreamError):
        await new_upstream(router, seams).ask(RUN, lambda answer: answer, within(50, seams), TRACE_ID)
    assert [event.kind for event in seams.trace] == ["upstream.request", "upstream.answer"]


async def test_what_is_asked_once_is_not_tried_again() -> None:
    seams, router = new_seams(), new_router()
    route = router.post("/run").mock(return_value=httpx.Response(503))
    with pytest.raises(UpstreamError) as caught:
        await new_upstream(router, seams).once(RUN, lambda answer: answer, within(50, seams), TRACE_ID)
    assert (caught.value.service, caught.value.status, route.call_count) == ("grace", 503, 1)


async def test_a_look_goes_past_an_open_breaker_and_teaches_it_nothing() -> None:
    seams, router = new_seams(), new_router()
    router.post("/run").mock(return_value=httpx.Response(503))
    upstream = new_upstream(router, seams)
    for _ in range(5):
        upstream.breaker.learn(failed=True)
    sight = await upstream.look(RUN, within(2, seams))
    assert (sight.trouble, sight.detail, str(upstream.breaker.state)) == (Trouble.BROKEN, None, "open")
    router.post("/run").mock(return_value=httpx.Response(200))
    sight = await upstream.look(RUN, within(2, seams), lambda answer: str(answer.status))
    assert (sight.trouble, sight.detail, str(upstream.breaker.state)) == (None, "200", "open")


async def test_each_look_has_a_trace_of_its_own_that_the_seed_decides() -> None:
    async def traces() -> list[str]:
        seams, router = new_seams(), new_router()
        route = router.post("/run").mock(return_value=httpx.Response(200))
        upstream = new_upstream(router, seams)
        for _ in range(2):
            await upstream.look(RUN, within(2, seams))
        return [call.request.headers["X-Trace-Id"] for call in route.calls]

    first = await traces()
    assert len(set(first)) == 2
    assert await traces() == first


async def test_two_upstreams_of_one_world_draw_apart() -> None:
    """Whether another service is asked, and how it fails, changes nothing of what one draws."""

    async def drawn(service: str) -> tuple[str, float]:
        seams, router = new_seams(), new_router()
        route = router.post("/run").mock(
            side_effect=script(httpx.Response(200), httpx.Response(503), httpx.Response(200))
        )
        upstream = new_upstream(router, seams, service)
        await upstream.look(RUN, within(2, seams))
        await upstream.ask(RUN, lambda answer: answer, within(50, seams), TRACE_ID)
        (retry,) = (event for event in seams.trace if event.kind == "retry")
        return route.calls[0].request.headers["X-Trace-Id"], retry.details["delay_s"]

    looks, delays = zip(*[await drawn(service) for service in ("grace", "hst", "context")], strict=True)
    assert len(set(looks)) == len(set(delays)) == 3


async def test_seats_that_are_taken_and_given_back_are_told() -> None:
    seams = new_seams()
    upstream = new_upstream(new_router(), seams)
    with upstream.seats.taken():
        pass
    told = [(event.source, event.kind, event.details) for event in seams.trace]
    assert told == [("server", "seats", {"service": "grace", "taken": taken}) for taken in (1, 0)]


async def test_a_look_measures_its_own_time_in_tenths_of_a_millisecond() -> None:
    seams = new_seams()
    upstream = new_upstream(Hang(seams, until_s=0.12345), seams)
    await seams.clock.sleep(3)
    assert (await upstream.look(RUN, within(2, seams))).latency_ms == pytest.approx(123.4, abs=0.11)
    sight = await upstream.look(RUN, within(2, seams))
    assert sight.latency_ms == round(sight.latency_ms, 1)


async def test_its_breaker_is_told_by_the_service_s_name() -> None:
    seams = new_seams()
    upstream = new_upstream(new_router(), seams)
    for _ in range(5):
        upstream.breaker.learn(failed=True)
    assert [event.details for event in seams.trace] == [{"service": "grace", "state": "open"}]
