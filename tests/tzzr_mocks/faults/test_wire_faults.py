"""Each wire fault as an httpx client sees it, over the memory network."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import httpx
import pytest

from tests.tzzr_mocks.small import SmallFake, small_fake, world_client


@dataclass(frozen=True)
class Seen:
    """What a client saw of one call: exception or status, at which phase, after how many seconds."""

    error: str
    message: str
    phase: str
    seconds: float


async def look(effect: str, timeout: float = 5.0) -> tuple[Seen, SmallFake]:
    """The first call under a wire fault."""
    fake = small_fake(f"grace: first call {effect}")
    url = "http://fake/v2/e1/status/job-7"
    loop, phase = asyncio.get_running_loop(), "head"
    began = loop.time()
    async with world_client(fake, timeout=timeout) as client:
        try:
            async with client.stream("GET", "/status/job-7") as reply:
                phase = "body"
                await reply.aread()
                error, message = str(reply.status_code), reply.text
        except httpx.HTTPError as raised:
            error, message, url = type(raised).__name__, str(raised), str(raised.request.url)
        assert url == "http://fake/v2/e1/status/job-7", "the exception carries the request that the caller made"
        seen = Seen(error, message, phase, loop.time() - began)
        assert (await client.get("/health")).status_code == 200, "the second call is not struck"
    return seen, fake


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("is refused", Seen("ConnectError", "All connection attempts failed", "head", 0.0)),
        ("dns_failure", Seen("ConnectError", "[Errno -2] Name or service not known", "head", 0.0)),
        ("connect_timeout", Seen("ConnectTimeout", "", "head", 5.0)),
        ("tls_failure how=eof", Seen("ConnectError", "", "head", 0.0)),
        ("tls_failure how=reset", Seen("ConnectError", "", "head", 0.0)),
        ("tls_failure how=hang", Seen("ConnectTimeout", "", "head", 5.0)),
        ("finds no connection", Seen("PoolTimeout", "", "head", 5.0)),
        ("is reset", Seen("ReadError", "", "head", 0.0)),
        ("is reset in the body", Seen("ReadError", "", "body", 0.0)),
        ("hangs", Seen("ReadTimeout", "", "head", 5.0)),
        ("hangs in the body", Seen("ReadTimeout", "", "body", 5.0)),
    ],
)
async def test_a_client_sees_the_exception_of_a_socket(effect: str, expected: Seen) -> None:
    seen, _ = await look(effect)

    assert seen == expected


@pytest.mark.parametrize(("how", "text"), [("verify", "CERTIFICATE_VERIFY_FAILED"), ("plain", "WRONG_VERSION_NUMBER")])
async def test_a_failed_handshake_says_why(how: str, text: str) -> None:
    seen, _ = await look(f"fails tls with {how}")

    assert (seen.error, seen.phase) == ("ConnectError", "head")
    assert text in seen.message


async def test_a_truncated_body_is_told_by_its_length() -> None:
    seen, _ = await look("is truncated after=10")

    assert seen.error == "RemoteProtocolError"
    assert "received 10 bytes, expected " in seen.message


async def test_a_drip_faster_than_the_time_out_never_times_out() -> None:
    seen, _ = await look("drips 1 bytes every 4s")

    assert (seen.error, seen.phase) == ("200", "body")
    assert seen.seconds > 600


async def test_a_drip_slower_than_the_time_out_is_a_read_timeout() -> None:
    seen, _ = await look("drips 1 bytes every 6s")

    assert (seen.error, seen.seconds) == ("ReadTimeout", 5.0)


@pytest.mark.parametrize("effect", ["is refused", "dns_failure", "connect_timeout", "tls_failure", "pool_exhausted"])
async def test_what_fails_before_the_request_is_sent_never_reaches_the_fake(effect: str) -> None:
    _, fake = await look(effect)

    assert [exchange.route for exchange in fake.control.journal] == ["GET /health"]


async def test_what_breaks_in_the_reply_has_reached_the_fake() -> None:
    _, fake = await look("is reset")

    assert [exchange.route for exchange in fake.control.journal] == ["GET /status/{job_id}", "GET /health"]


async def test_the_nth_call_is_struck_whatever_the_pool_holds() -> None:
    fake = small_fake("grace: 3rd call is refused")
    async with world_client(fake) as client:
        assert [(await client.get("/health")).status_code for _ in range(2)] == [200, 200]
        with pytest.raises(httpx.ConnectError):
            await client.get("/health")
        assert (await client.get("/health")).status_code == 200


async def test_a_wire_fault_matches_by_what_is_in_the_request() -> None:
    fake = small_fake("grace: calls to HASHER are reset")
    async with world_client(fake) as client:
        assert (await client.post("/run", json={"module": "OCR_CORE"})).status_code == 200
        with pytest.raises(httpx.ReadError):
            await client.post("/run", json={"module": "HASHER"})


async def test_reply_and_wire_faults_act_together() -> None:
    fake = small_fake("grace: calls answer html", "grace: calls drip 50 bytes every 1s")
    loop = asyncio.get_running_loop()
    async with world_client(fake) as client:
        began = loop.time()
        reply = await client.get("/health")

    assert (reply.status_code, loop.time() - began > 2) == (502, True)


async def test_a_body_that_hangs_is_left_without_a_leak() -> None:
    fake = small_fake("grace: first call hangs in the body")
    async with world_client(fake, timeout=5) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get("/health")
    others = asyncio.all_tasks() - {asyncio.current_task()}

    assert {task for task in others if "Runner" not in task.get_name() and not task.done()} <= _harness(others)


def _harness(tasks: set[asyncio.Task[object]]) -> set[asyncio.Task[object]]:
    """The test runner's own tasks."""
    return {task for task in tasks if "pytest" in repr(task.get_coro())}
