"""The memory network against real sockets: same exception class, message, phase and causes, fault by fault."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import httpx
import pytest

from tests.tzzr_mocks.network import loopback
from tzzr_mocks.control.asgi import Receive, Scope, Send, respond
from tzzr_mocks.faults import (
    ConnectionRefused,
    ConnectTimeout,
    HangBeforeHeaders,
    HangInBody,
    PoolExhausted,
    ResetBeforeHeaders,
    ResetInBody,
    SlowDrip,
    TlsFailure,
    TruncatedBody,
    WireFault,
)
from tzzr_mocks.network.wire import Fate, WireTransport

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]
LIMIT_S, PATIENCE_S = 0.4, 30.0
"""Seconds for what a fault lets hang, and for everything else: a busy machine is no fault."""
_HANGING: dict[type[WireFault], str] = {
    ConnectTimeout: "connect",
    TlsFailure: "connect",
    HangBeforeHeaders: "read",
    HangInBody: "read",
    PoolExhausted: "pool",
}
Place = Callable[[], AbstractAsyncContextManager[int]]


@dataclass(frozen=True)
class Seen:
    """What a client saw of one call."""

    error: str
    message: str
    phase: str
    causes: tuple[str, ...]


def causes_of(error: BaseException) -> tuple[str, ...]:
    """The classes of the chain of causes, with the system's error number where there is one."""
    chain: list[str] = []
    cause = error.__cause__ or error.__context__
    while cause is not None:
        number = getattr(cause, "errno", None)
        chain.append(f"{type(cause).__name__} {number}" if number else type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return tuple(chain)


async def look(client: httpx.AsyncClient, url: str) -> Seen:
    """One GET, and what became of it."""
    phase = "head"
    try:
        async with client.stream("GET", url) as reply:
            phase = "body"
            await reply.aread()
            return Seen(str(reply.status_code), "", phase, ())
    except httpx.HTTPError as error:
        message = re.sub(r"port \d+|:\d+\)", "", str(error))
        return Seen(type(error).__name__, message, phase, causes_of(error))


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers what the loopback servers answer."""
    await respond(send, 200, loopback.BODY, [(b"content-type", b"application/json")])


def timeout_for(fault: WireFault) -> httpx.Timeout:
    """A short time-out for what the fault lets hang alone."""
    short = _HANGING.get(type(fault))
    if short is None or getattr(fault, "how", "hang") != "hang":
        return httpx.Timeout(PATIENCE_S)
    return httpx.Timeout(PATIENCE_S, **{short: LIMIT_S})


async def in_memory(fault: WireFault, scheme: str = "http") -> Seen:
    """What a client sees of a fault over the memory network."""
    transport = WireTransport({"127.0.0.1": app}, lambda request, body: Fate(fault.script()))
    async with httpx.AsyncClient(transport=transport, timeout=timeout_for(fault)) as client:
        return await look(client, f"{scheme}://127.0.0.1/")


async def on_a_socket(fault: WireFault, place: Place, scheme: str = "http") -> Seen:
    """What a client sees of the same over a real socket."""
    async with place() as port, httpx.AsyncClient(timeout=timeout_for(fault), trust_env=False) as client:
        return await look(client, f"{scheme}://127.0.0.1:{port}/")


def served(conduct: loopback.Conduct) -> Place:
    return lambda: loopback.serving(conduct)


@pytest.mark.parametrize(
    ("fault", "place"),
    [
        pytest.param(ConnectionRefused(), loopback.nobody, id="connection_refused"),
        pytest.param(ConnectTimeout(), loopback.full_backlog, id="connect_timeout"),
        pytest.param(ResetBeforeHeaders(), served(loopback.reset_before_headers), id="reset_before_headers"),
        pytest.param(ResetInBody(after=10), served(loopback.reset_in_body), id="reset_in_body"),
        pytest.param(HangBeforeHeaders(), served(loopback.hang_before_headers), id="hang_before_headers"),
        pytest.param(HangInBody(after=10), served(loopback.hang_in_body), id="hang_in_body"),
        pytest.param(TruncatedBody(after=10), served(loopback.truncated_body), id="truncated_body"),
        pytest.param(SlowDrip(size=400, seconds=0.02), served(loopback.slow_drip), id="slow_drip"),
    ],
)
async def test_a_fault_in_memory_is_what_it_is_on_a_socket(fault: WireFault, place: Place) -> None:
    assert await in_memory(fault) == await on_a_socket(fault, place)


@pytest.mark.parametrize(
    ("how", "conduct"),
    [
        ("plain", loopback.plain),
        ("eof", loopback.end_of_file),
        ("reset", loopback.reset_at_once),
        ("hang", loopback.hang_before_headers),
    ],
)
async def test_a_broken_handshake_in_memory_is_what_it_is_on_a_socket(how: str, conduct: loopback.Conduct) -> None:
    fault = TlsFailure(how=how)  # type: ignore[arg-type]  # one of the literals

    assert await in_memory(fault) == await on_a_socket(fault, served(conduct), "https")


async def test_a_full_pool_in_memory_is_a_full_pool() -> None:
    fault, limits = PoolExhausted(), httpx.Limits(max_connections=1)
    async with (
        loopback.serving(loopback.hang_in_body) as port,
        httpx.AsyncClient(timeout=timeout_for(fault), trust_env=False, limits=limits) as client,
        client.stream("GET", f"http://127.0.0.1:{port}/"),
    ):
        real = await look(client, f"http://127.0.0.1:{port}/")

    assert await in_memory(fault) == real
