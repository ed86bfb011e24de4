"""One connection over a pair of descriptors, in this process."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from tests.tzzr_mcp.server.tiny import ENVIRON, a_plugin, a_tool, echo, wait
from tests.tzzr_mcp.server.transports.test_stdio import GREETING, line, waiting
from tzzr_mcp.seams import Seams
from tzzr_mcp.server import TzzrServer, build_server
from tzzr_mcp.server.transports import stdio
from tzzr_mcp.server.transports.lines import Lines
from tzzr_mcp.server.transports.stdio import serve_stdio

pytestmark = [pytest.mark.realtime, pytest.mark.usefixtures("caught_signals")]
LIMIT = 60


@dataclass
class Peer:
    """The client's ends of two pipes, and the server that holds the others."""

    server: TzzrServer
    serving: asyncio.Task[int]
    answers: AsyncIterator[bytes]
    stdin: int
    stdout: int

    def send(self, *lines: bytes) -> None:
        os.write(self.stdin, b"".join(lines))

    async def answer(self) -> Any:
        return json.loads(await anext(self.answers))

    async def rest(self) -> list[Any]:
        return [json.loads(each) async for each in self.answers]

    def end(self) -> None:
        os.close(self.stdin)


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the transport logged."""
    mine = (record for record in caplog.records if record.name == "tzzr_mcp.server.transports.stdio")
    return [f"{record.levelname} {record.getMessage()}" for record in mine]


@asynccontextmanager
async def connected() -> AsyncIterator[Peer]:
    """A peer of a server that is being served, greeted."""
    server_in, client_out = os.pipe()
    client_in, server_out = os.pipe()
    server = build_server([a_plugin(a_tool(echo), a_tool(wait, name="wait"))], ENVIRON, seams=Seams())

    async def serve() -> int:
        try:
            return await serve_stdio(server, server_in, server_out)
        finally:
            os.close(server_out)

    async with asyncio.timeout(LIMIT):
        peer = Peer(server, asyncio.create_task(serve()), aiter(Lines(client_in)), client_out, client_in)
        peer.send(GREETING)
        greeting = (await peer.answer())["result"]
        assert greeting["serverInfo"]["name"] == "mcp-server-tzzr"
        assert greeting["capabilities"]["tools"] == {"listChanged": True}
        yield peer


async def test_the_end_of_stdin_waits_for_the_answers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stdio, "FLUSH_S", 0.01)
    monkeypatch.setattr(stdio, "EOF_PATIENCE_S", 10 * LIMIT)
    async with connected() as peer:
        peer.send(waiting(2, 0.3), line(3, "ping"), b"nonsense\n")
        peer.end()
        answers = {answer["id"]: answer for answer in await peer.rest()}
        assert await peer.serving == 0
    assert answers[2]["result"]["content"][0]["text"] == "hecho"
    assert answers[3]["result"] == {}
    assert answers[None]["error"]["code"] == -32700
    told = 'a line from the client is refused: El mensaje no es JSON en UTF-8: "nonsense".'
    assert logged(caplog) == [f"WARNING {told}"]


async def test_what_takes_too_long_after_the_end_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "EOF_PATIENCE_S", 0.05)
    async with connected() as peer:
        peer.send(waiting(2, 300))
        peer.end()
        assert [answer["error"]["code"] for answer in await peer.rest()] == [-32000]
        assert await peer.serving == 0
        assert len(peer.server.runtime.running) == 0


async def test_a_cancelled_request_is_not_waited_for_at_the_end() -> None:
    async with connected() as peer:
        peer.send(waiting(2, 300), line(3, "ping"))
        await peer.answer()
        peer.send(line(None, "notifications/cancelled", requestId=2))
        peer.end()
        await peer.rest()
        assert await peer.serving == 0


@pytest.mark.parametrize("second", [2, "2"], ids=["the same", "as a text"])
async def test_a_second_request_with_an_id_in_flight_is_refused_and_the_first_is_answered(second: Any) -> None:
    async with connected() as peer:
        again = line(2, "ping").replace(b'"id": 2', b'"id": %s' % json.dumps(second).encode())
        peer.send(waiting(2, 0.1), again, line(3, "ping"))
        refused = await peer.answer()
        assert (refused["id"], refused["error"]["code"]) == (second, -32600)
        assert "Ya hay una petición en curso" in refused["error"]["message"]
        assert (await peer.answer())["id"] == 3
        peer.end()
        (first,) = await peer.rest()
        assert first["result"]["content"][0]["text"] == "hecho"
        assert await peer.serving == 0


async def test_a_signal_lets_short_calls_finish_and_cancels_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "SIGNAL_PATIENCE_S", 0.5)
    async with connected() as peer:
        peer.send(waiting(2, 0.1), waiting(3, 300), line(4, "ping"))
        await peer.answer()
        os.kill(os.getpid(), 15)
        answers = {answer["id"]: answer["result"] for answer in await peer.rest()}
        assert await peer.serving == 143
    assert answers[2]["content"][0]["text"] == "hecho"
    assert answers[3]["_meta"]["tzzr/error"]["code"] == "CANCELLED"


async def test_a_client_that_no_longer_reads_ends_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "tzzr_mcp")
    async with connected() as peer:
        os.close(peer.stdout)
        while not peer.serving.done():
            peer.send(line(2, "tools/list"))
            await asyncio.wait([peer.serving], timeout=0.01)
        assert peer.serving.result() == 0
    assert logged(caplog) == ["INFO the client no longer reads: [Errno 32] Broken pipe"]


async def test_nobody_waits_for_a_stream_that_stays_open_by_design() -> None:
    modern = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
    }
    server_in, client_out = os.pipe()
    client_in, server_out = os.pipe()
    os.write(client_out, line(1, "subscriptions/listen", notifications={"toolsListChanged": True}, _meta=modern))
    server = build_server([a_plugin()], ENVIRON)
    async with asyncio.timeout(LIMIT):
        serving = asyncio.create_task(serve_stdio(server, server_in, server_out))
        assert b"notifications/subscriptions/acknowledged" in await anext(aiter(Lines(client_in)))
        os.close(client_out)
        assert await serving == 0
    os.close(server_out)
