"""The application on a real port of this machine, in this process."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import uvicorn

from tests.tzzr_mcp.server.tiny import a_server, a_tool, echo, wait
from tests.tzzr_mcp.server.transports.http.reaching import JSON, request
from tzzr_mcp.seams import Seams, SystemClock
from tzzr_mcp.seams.connections import IDLE_CONNECTION_S
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.transports.http import HttpOptions, serve
from tzzr_mcp.server.transports.http.serve import CUT_S, SILENT_MS, listen, raise_file_limit, serve_http
from tzzr_mcp.server.transports.http.slow import PatientProtocol
from tzzr_mcp.settings import StartError

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]
LIMIT = 60
HERE = HttpOptions(port=0)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with listen(HERE) as listening:
        yield listening


def test_an_address_is_listened_at_again_at_once_and_who_says_nothing_is_given_up(listener: socket.socket) -> None:
    host, port = listener.getsockname()
    assert host == "127.0.0.1"
    assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1
    assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 1
    assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == SILENT_MS
    with socket.create_connection((host, port)) as client, listener.accept()[0] as met:
        client.sendall(b"x")
        assert met.recv(1) == b"x"


def test_a_system_without_the_option_for_silent_peers_is_served_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "TCP_USER_TIMEOUT")
    with listen(HERE) as listening:
        assert listening.getsockname()[1] > 0


def test_a_port_that_is_taken_is_told_with_the_mend(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    with pytest.raises(StartError) as caught:
        listen(HttpOptions(port=port))
    assert str(caught.value) == (
        f"cannot listen on 127.0.0.1 port {port}: Address already in use\n"
        "  Choose another port (--port, TZZR_HTTP_PORT; 0 takes a free one) or address (--host, TZZR_HTTP_HOST)."
    )


def test_a_name_that_is_none_is_told_with_why() -> None:
    with pytest.raises(StartError, match=r"^cannot listen on  port 0: Name or service not known\n"):
        listen(HttpOptions(host="", port=0))


def test_an_error_without_a_text_of_its_own_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("no way")

    monkeypatch.setattr(socket, "getaddrinfo", broken)
    with pytest.raises(StartError, match=r"^cannot listen on 127\.0\.0\.1 port 0: no way\n"):
        listen(HERE)


def test_the_process_may_have_as_many_connections_as_the_system_lets_it() -> None:
    resource = pytest.importorskip("resource")
    kept = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, kept[1]), kept[1]))
        raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (kept[1], kept[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, kept)


@dataclass
class Served:
    """A server on a port, until ``signalled`` has a number."""

    server: TzzrServer
    port: int
    signalled: asyncio.Future[int]
    serving: asyncio.Task[int]

    async def ask(
        self, method: str, path: str, body: str = "", more: Mapping[str, str] | None = None
    ) -> tuple[bytes, bytes]:
        """Head and body of an answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        headers = "".join(f"{name}: {value}\r\n" for name, value in {**JSON, **(more or {})}.items())
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}{headers}\r\n{body}".encode())
        told = await reader.read()
        writer.close()
        await writer.wait_closed()
        return told.partition(b"\r\n\r\n")[0], told.partition(b"\r\n\r\n")[2]

    async def waiting(self, seconds: float) -> asyncio.Task[bytes]:
        """The answer of a call that takes so long, which has begun."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        call = request(1, "tools/call", name="wait", arguments={"texto": str(seconds)}, _meta=meta)
        headers = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "wait"}

        async def answer() -> bytes:
            _, body = await self.ask("POST", "/mcp", json.dumps(call), headers)
            return body

        calling = asyncio.create_task(answer())
        while not len(self.server.runtime.running):
            await SystemClock().sleep(0.01)
        return calling


@asynccontextmanager
async def served(listener: socket.socket) -> AsyncIterator[Served]:
    server = a_server(a_tool(echo), a_tool(wait, name="wait"), seams=Seams())
    signalled: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    async with asyncio.timeout(LIMIT):
        serving = asyncio.create_task(serve_http(server, HERE, listener, signalled))
        try:
            yield Served(server, listener.getsockname()[1], signalled, serving)
        finally:
            serving.cancel()
            await asyncio.wait([serving])


async def test_requests_are_served_until_a_signal_comes_and_then_the_exit_code_tells_which(
    listener: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        caplog.set_level(logging.NOTSET, name)
    handlers = list(logging.getLogger("uvicorn").handlers)
    async with served(listener) as here:
        head, body = await here.ask("GET", "/healthz")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nserver:" not in head.lower()
        assert body == b'{"status":"alive"}'
        here.signalled.set_result(signal.SIGTERM)
        assert await here.serving == 143
        assert logging.getLogger("uvicorn").handlers == handlers
        assert here.server.runtime.running.stopping
    assert [record.getMessage() for record in caplog.records if record.name.startswith("uvicorn")] == []


async def test_after_the_signal_a_short_call_is_answered_and_streams_end(listener: socket.socket) -> None:
    async with served(listener) as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(b"GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await reader.readuntil(b"event: endpoint")
        calling = await here.waiting(0.2)
        here.signalled.set_result(signal.SIGINT)
        assert b"hecho" in await calling
        assert (await reader.read()).endswith(b"0\r\n\r\n"), "the stream ends as a stream should"
        writer.close()
        assert await here.serving == 130


async def test_a_call_that_takes_longer_after_the_signal_is_cancelled(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "SIGNAL_PATIENCE_S", 0.2)
    async with served(listener) as here:
        calling = await here.waiting(300)
        here.signalled.set_result(signal.SIGTERM)
        assert b"CANCELLED" in await calling
        assert await here.serving == 143


async def test_a_server_that_ends_without_a_signal_has_failed(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: uvicorn.Server, sockets: list[socket.socket]) -> None:
        return None

    monkeypatch.setattr(serve.Uvicorn, "serve", broken)
    async with served(listener) as here:
        assert await here.serving == 1


async def test_uvicorn_is_told_how_long_to_keep_a_connection_and_how_long_to_wait_at_the_end(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[uvicorn.Config] = []

    async def see(self: uvicorn.Server, sockets: list[socket.socket]) -> None:
        assert sockets == [listener]
        seen.append(self.config)

    monkeypatch.setattr(serve.Uvicorn, "serve", see)
    async with served(listener) as here:
        await here.serving
    (config,) = seen
    assert (config.timeout_keep_alive, config.timeout_graceful_shutdown) == (IDLE_CONNECTION_S, CUT_S)
    assert (config.access_log, config.ws, config.lifespan, config.log_config) == (False, "none", "on", None)
    assert config.http is PatientProtocol
