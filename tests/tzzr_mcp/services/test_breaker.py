"""The circuit breaker: opens, waits, lets one probe through, closes."""

from __future__ import annotations

import asyncio

import pytest

from tests.tzzr_mcp.services.worlds import new_seams
from tzzr_mcp.seams import Seams
from tzzr_mcp.services.breaker import Breaker, State
from tzzr_mcp.services.troubles import Trouble, UpstreamError


def new_breaker(seams: Seams) -> Breaker:
    return Breaker("grace", seams, threshold=3, cooldown_s=10)


def fail(breaker: Breaker, trouble: Trouble = Trouble.BROKEN, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(UpstreamError, match=trouble), breaker.guard():
            raise UpstreamError("grace", trouble)


async def test_failures_in_a_row_open_it_and_it_refuses_with_the_seconds_left() -> None:
    seams = new_seams()
    breaker = new_breaker(seams)
    fail(breaker, times=3)
    assert breaker.state is State.OPEN
    await seams.clock.sleep(4)
    with pytest.raises(UpstreamError) as caught, breaker.guard():
        pytest.fail("nothing goes through an open circuit")
    assert caught.value.trouble is Trouble.CIRCUIT_OPEN
    assert caught.value.retry_after_s == pytest.approx(6)


async def test_any_answer_between_failures_keeps_it_closed() -> None:
    breaker = new_breaker(new_seams())
    fail(breaker, times=2)
    fail(breaker, Trouble.RATE_LIMITED)
    fail(breaker, times=2)
    assert breaker.state is State.CLOSED


async def test_after_the_cooldown_one_probe_goes_through_and_its_success_closes_it() -> None:
    seams = new_seams()
    breaker = new_breaker(seams)
    fail(breaker, times=3)
    await seams.clock.sleep(10)
    assert breaker.state is State.HALF_OPEN
    with breaker.guard(), pytest.raises(UpstreamError, match="circuit_open"), breaker.guard():
        pytest.fail("only one probe at a time")
    assert str(breaker.state) == "closed"
    assert [event.details["state"] for event in seams.trace] == ["open", "half_open", "closed"]


async def test_a_probe_that_fails_opens_it_again() -> None:
    seams = new_seams()
    breaker = new_breaker(seams)
    fail(breaker, times=3)
    await seams.clock.sleep(10)
    fail(breaker)
    assert breaker.state is State.OPEN
    assert [event.details["state"] for event in seams.trace] == ["open", "half_open", "open"]


@pytest.mark.parametrize("end", [asyncio.CancelledError(), UpstreamError("grace", Trouble.DEADLINE)])
async def test_a_probe_that_was_cut_short_teaches_nothing_and_frees_its_place(end: BaseException) -> None:
    seams = new_seams()
    breaker = new_breaker(seams)
    fail(breaker, times=3)
    await seams.clock.sleep(10)
    with pytest.raises(type(end)), breaker.guard():
        raise end
    assert breaker.state is State.HALF_OPEN
    with breaker.guard():
        pass
    assert str(breaker.state) == "closed"


async def test_by_itself_it_opens_after_five_failures_for_fifteen_seconds() -> None:
    seams = new_seams()
    breaker = Breaker("grace", seams)
    fail(breaker, times=4)
    assert breaker.state is State.CLOSED
    fail(breaker)
    with pytest.raises(UpstreamError) as caught, breaker.guard():
        pytest.fail("nothing goes through an open circuit")
    assert (caught.value.service, caught.value.retry_after_s) == ("grace", 15)


async def test_what_is_no_trouble_of_an_upstream_teaches_nothing() -> None:
    breaker = new_breaker(new_seams())
    fail(breaker, times=2)
    with pytest.raises(ZeroDivisionError), breaker.guard():
        raise ZeroDivisionError
    fail(breaker)
    assert breaker.state is State.OPEN


async def test_its_events_name_the_service_and_what_it_is_about() -> None:
    seams = new_seams()
    fail(Breaker("grace", seams, about={"module": "HASHER"}, threshold=1), Trouble.BROKEN)
    (event,) = seams.trace
    assert (event.source, event.kind) == ("server", "breaker")
    assert event.details == {"service": "grace", "module": "HASHER", "state": "open"}


async def test_success_begins_the_count_of_failures_anew() -> None:
    breaker = new_breaker(new_seams())
    fail(breaker, times=2)
    breaker.learn(failed=False)
    fail(breaker, times=2)
    assert breaker.state is State.CLOSED
    breaker.learn(failed=True)
    assert str(breaker.state) == "open"


async def test_it_refuses_until_the_last_moment_of_its_cooldown() -> None:
    seams = new_seams()
    breaker = new_breaker(seams)
    fail(breaker, times=3)
    await seams.clock.sleep(9.5)
    with pytest.raises(UpstreamError) as caught, breaker.guard():
        pytest.fail("half a second is left")
    assert caught.value.retry_after_s == pytest.approx(0.5)


async def test_a_request_of_before_that_ends_beside_the_probe_frees_no_place_for_another() -> None:
    seams = new_seams()
    breaker = new_breaker(seams)
    of_before = breaker.guard()
    of_before.__enter__()
    fail(breaker, times=3)
    await seams.clock.sleep(10)
    with breaker.guard():
        assert not of_before.__exit__(asyncio.CancelledError, asyncio.CancelledError(), None)
        with pytest.raises(UpstreamError, match="circuit_open"), breaker.guard():
            pytest.fail("only one probe at a time")
