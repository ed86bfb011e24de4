"""Back-pressure per upstream: beyond the limit a call is told at once, and a seat is always given back."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mcp.services.worlds import Hang, a_request, new_seams, new_upstream, nobody, within
from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.services.context import ContextManager
from tzzr_mcp.services.directus import Directus
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.hst import Hst
from tzzr_mcp.services.runpod import RunPod
from tzzr_mcp.services.seats import Seats
from tzzr_mcp.services.troubles import Trouble, UpstreamError
from tzzr_mcp.services.upstream import Upstream


def full(seats: int = 0) -> Upstream:
    """An upstream that hangs, with so many seats."""
    seams = new_seams()
    return Upstream(new_upstream(Hang(seams), seams).door, seams, seats)


@given(st.lists(st.booleans(), max_size=60), st.integers(0, 5))
def test_never_more_than_the_limit_sit_and_every_seat_is_given_back(steps: list[bool], limit: int) -> None:
    seats = Seats("grace", limit)
    sitting: list[AbstractContextManager[None]] = []
    for come in steps:
        if come and len(sitting) < limit:
            sitting.append(seats.taken())
            sitting[-1].__enter__()
        elif come:
            with pytest.raises(UpstreamError, match="busy"), seats.taken():
                pytest.fail("there was no seat")
        elif sitting:
            sitting.pop().__exit__(None, None, None)
        assert len(seats) == len(sitting)


def test_who_fails_gives_the_seat_back() -> None:
    seats = Seats("grace", 1)
    with pytest.raises(RuntimeError), seats.taken():
        raise RuntimeError
    assert len(seats) == 0


async def test_every_service_says_busy_at_once_and_asks_nobody() -> None:
    upstream = full()
    seams, calls = upstream.seams, within(50, upstream.seams)
    grace, hst, context = Grace(RunPod(upstream, "g")), Hst(Directus(upstream)), ContextManager(upstream)
    request = a_request()
    asking = [
        grace.run(request, calls, nobody),
        hst.library("hst", calls, seams.dice.uuid4()),
        context.context("ana", calls, seams.dice.uuid4()),
    ]
    subjects = ["No se pudo clasificar el texto", "No se pudieron consultar los tags", "No se pudo leer el contexto"]
    for call, subject in zip(asking, subjects, strict=True):
        with pytest.raises(ContractError) as caught:
            await call
        assert (caught.value.failure.code, caught.value.failure.retryable) == (Code.BUSY, True)
        assert caught.value.failure.message.startswith(subject)
        assert "ocupado con otras peticiones a GRACE" in caught.value.failure.message
    assert seams.clock.monotonic() == 0
    assert len(seams.trace) == 0


async def test_a_call_sits_until_its_job_is_over_and_a_cancelled_one_no_longer() -> None:
    upstream = full(seats=1)
    grace = Grace(RunPod(upstream, "g"))
    first = asyncio.ensure_future(grace.run(a_request(), within(50, upstream.seams), nobody))
    await upstream.seams.clock.sleep(5)
    with pytest.raises(ContractError) as caught:
        await grace.run(a_request(), within(50, upstream.seams), nobody)
    assert caught.value.failure.code is Code.BUSY
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert len(upstream.seats) == 0


def test_busy_is_not_repeated_within_the_call() -> None:
    assert not UpstreamError("grace", Trouble.BUSY).retryable
