"""Where RunPod's own clients fall over, ours does not: every wrong answer of their recordings, met by `services/runpod`.

What the recordings' clients met is served by the fake as in the tests of those clients. Whatever comes, a call ends
within its time, an error keeps its text, and nothing without an id is taken for an answer (runpod.md §11).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from tests.tzzr_mcp.services.worlds import START, TRACE_ID, within
from tests.tzzr_mocks.grace.caller import KEY, served
from tests.tzzr_mocks.grace.clients.altered import before
from tests.tzzr_mocks.grace.clients.cases import WRONG
from tests.tzzr_mocks.grace.clients.stage import build
from tzzr_mcp.seams import LoopClock
from tzzr_mcp.services.http import Door
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import Errand, RunPod
from tzzr_mcp.services.troubles import Trouble, UpstreamError
from tzzr_mcp.services.upstream import Upstream
from tzzr_mocks.grace import GraceFake
from tzzr_mocks.network.direct import DirectTransport

SECONDS = 40.0
ANSWER = {"answer": 42}


@dataclass
class Seen:
    """How one call ended, and the fake that it was put to."""

    fake: GraceFake
    took: float
    state: JobState | None = None
    output: Any = None
    error: str | None = None
    trouble: Trouble | None = None


def usable(output: Any) -> bool:
    """A whole result is no text here: the chunks of the stage are."""
    return output is not None and not isinstance(output, str)


@asynccontextmanager
async def client_of(fake: GraceFake, endpoint: str) -> AsyncIterator[RunPod]:
    """Our client of an endpoint; over a socket where the connection itself is to break."""
    async with AsyncExitStack() as stack:
        stack.push_async_callback(fake.stop)
        over: httpx.AsyncBaseTransport = DirectTransport(before(fake.app))
        base = "http://runpod.test"
        if endpoint == "reset":
            over, base = httpx.AsyncHTTPTransport(), await stack.enter_async_context(served(fake.app))
        seams = fake.control.seams
        door = Door("grace", f"{base}/v2", seams, token=SecretStr(KEY), transport=over)
        stack.push_async_callback(door.aclose)
        yield RunPod(Upstream(door, seams), endpoint)


async def call(endpoint: str, *, parts: bool = False) -> Seen:
    """One call of our client to an endpoint of the clients' stage."""
    fake = build(LoopClock(START))
    clock = fake.control.seams.clock
    async with client_of(fake, endpoint) as client:
        deadline = within(SECONDS, fake.control.seams)
        errand = Errand({"a": 1}, deadline, TRACE_ID, _nobody, usable, part_of=str if parts else None)
        began = clock.monotonic()
        try:
            job = await client.run(errand)
        except UpstreamError as error:
            return Seen(fake, clock.monotonic() - began, trouble=error.trouble)
        return Seen(fake, clock.monotonic() - began, job.state, job.output, job.error)


async def _nobody(state: JobState, text: str) -> None:
    """Nobody watches."""


ENDS: dict[str, Trouble | JobState] = {
    "e400": Trouble.REFUSED, "e401": Trouble.AUTH, "e401j": Trouble.AUTH, "e403": Trouble.FORBIDDEN,
    "e404": Trouble.NOT_FOUND, "e404t": Trouble.NOT_FOUND, "e408": Trouble.TIMEOUT, "e413": Trouble.TOO_LARGE,
    "e429": Trouble.RATE_LIMITED, "e429ra": Trouble.RATE_LIMITED, "html200": Trouble.BAD_RESPONSE,
    "empty200": Trouble.BAD_RESPONSE, "e204": Trouble.BAD_RESPONSE, "errbody200": Trouble.BAD_RESPONSE,
    "noid": Trouble.BAD_RESPONSE, "noid_ever": Trouble.BAD_RESPONSE, "nostatus": Trouble.BAD_RESPONSE,
    "reset": Trouble.UNREACHABLE, "slow": Trouble.DEADLINE, "e201": JobState.COMPLETED,
    "text200json": JobState.COMPLETED, "queued_then_ok": JobState.COMPLETED, "inprog": JobState.COMPLETED,
    "nostream": JobState.COMPLETED, "chunkerr": JobState.COMPLETED, "splitfinal": JobState.COMPLETED,
    "never": Trouble.DEADLINE, **{f"e{status}": Trouble.BROKEN for status in (500, 502, 503, 504, 524)},
}  # fmt: skip
"""How a call ends at each endpoint that answers wrongly."""


def test_every_wrong_answer_of_the_recordings_is_met() -> None:
    assert set(ENDS) == WRONG


@pytest.mark.enable_socket
@pytest.mark.parametrize("endpoint", ENDS)
async def test_a_call_ends_within_its_time_whatever_comes(endpoint: str) -> None:
    seen = await call(endpoint)

    assert (seen.trouble or seen.state) == ENDS[endpoint]
    assert seen.took <= SECONDS
    if seen.state is JobState.COMPLETED:
        assert seen.output in (ANSWER, ["a", "b", "c"], ["a"])


@pytest.mark.parametrize(("endpoint", "state", "text"), [
    ("failed", JobState.FAILED, "handler: boom"), ("timed_out", JobState.TIMED_OUT, "executionTimeout exceeded"),
])  # fmt: skip
async def test_a_job_that_failed_keeps_its_error_text(endpoint: str, state: JobState, text: str) -> None:
    seen = await call(endpoint)

    assert seen.state is state
    assert (seen.error or "").startswith(text)


@pytest.mark.parametrize("endpoint", ["noout", "falsy"])
async def test_a_result_that_is_nothing_or_falsy_ends_the_call(endpoint: str) -> None:
    seen = await call(endpoint)

    assert (seen.state, seen.output) == (JobState.COMPLETED, None if endpoint == "noout" else 0)
    assert seen.took < SECONDS


@pytest.mark.parametrize("endpoint", [
    "streams", "nostream", "chunkerr", "splitfinal", "failed", "timed_out", "never", "e201", "errbody200", "html200",
])  # fmt: skip
async def test_a_call_that_reads_a_stream_ends_as_one_that_does_not(endpoint: str) -> None:
    read, polled = await call(endpoint, parts=True), await call(endpoint)

    assert (read.state, read.output, read.trouble) == (polled.state, polled.output, polled.trouble)
    assert read.took <= SECONDS


async def test_no_call_asks_without_a_pause() -> None:
    seen = await call("never")

    assert seen.trouble is Trouble.DEADLINE
    assert len(seen.fake.control.journal) < 40
