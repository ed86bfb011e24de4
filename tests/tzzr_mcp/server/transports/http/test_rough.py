"""Rough messages over HTTP: each gets an answer or an error that names the matter, and the session goes on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from tests.tzzr_mcp.server.transports.http.reaching import (
    HELLO,
    JSON,
    WIRES,
    Reach,
    Session,
    Wire,
    greeted,
    request,
    served,
)
from tzzr_mcp.server import apps

PING = json.dumps(request(9, "ping")).encode()


@dataclass
class Streamable:
    """A session of Streamable HTTP."""

    http: httpx2.AsyncClient

    async def ask(self, message: Any) -> Any:
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        response = await self.http.post("/mcp", content=content)
        return answer_of(response)


def answer_of(response: httpx2.Response) -> Any:
    """The last message of a response, whichever form it has."""
    if response.headers["content-type"].startswith("text/event-stream"):
        return json.loads(response.text.rsplit("data: ", 1)[1])
    return response.json()


@asynccontextmanager
async def session_of(reach: Reach, wire: Wire) -> AsyncIterator[Session | Streamable]:
    if wire == "sse":
        async with greeted(reach) as session:
            yield session
        return
    async with reach.http(JSON) as http:
        begun = await http.post("/mcp", json=request(1, "initialize", **HELLO))
        http.headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        await http.post("/mcp", json=request(None, "notifications/initialized"))
        yield Streamable(http)


ROUGH: dict[str, tuple[bytes, int, Any, str]] = {
    "invalid UTF-8": (b'{"jsonrpc":"2.0","id":2,"method":"\xff"}', -32700, None, "no es JSON en UTF-8"),
    "broken JSON": (b'{"jsonrpc":"2.0","id":2,', -32700, None, "no es JSON en UTF-8"),
    "lone surrogate": (b'{"jsonrpc":"2.0","id":2,"method":"\\ud800"}', -32700, None, "medio par sustituto"),
    "deep nesting": (b"[" * 50_000, -32700, None, "demasiados niveles"),
    "nothing": (b"", -32700, None, "vacío"),
    "blank lines": (b"\r\n\n", -32700, None, "vacío"),
    "a batch": (b"[" + PING + b"]", -32600, None, "No se admiten lotes"),
    "id null": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None, "no null"),
    "id a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None, "no 1.5"),
    "no version": (b'{"id":2,"method":"ping"}', -32600, 2, "no es JSON-RPC 2.0"),
    "unknown method": (b'{"jsonrpc":"2.0","id":2,"method":"nope"}', -32601, 2, ""),
}


@pytest.mark.parametrize("what", ROUGH)
@pytest.mark.parametrize("wire", WIRES)
async def test_what_is_no_message_is_answered_with_why_and_the_session_goes_on(wire: Wire, what: str) -> None:
    content, code, identity, told = ROUGH[what]
    async with served() as reach, session_of(reach, wire) as session:
        answer = await session.ask(content)
        assert (answer["error"]["code"], answer["id"]) == (code, identity)
        assert told in answer["error"]["message"]
        assert (await session.ask(PING))["result"] == {}


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + PING,
        b"\r\n" + PING + b"\r\n\r\n",
        PING.replace(b'"params": {}', b'"params": null'),
        PING.replace(b"9", b'"nueve"'),
    ],
    ids=["mark", "blanks", "params null", "id a text"],
)
@pytest.mark.parametrize("wire", WIRES)
async def test_what_is_a_message_all_the_same_is_served(wire: Wire, content: bytes) -> None:
    async with served() as reach, session_of(reach, wire) as session:
        assert (await session.ask(content))["result"] == {}


@pytest.mark.parametrize("wire", WIRES)
async def test_a_deadline_without_end_is_no_time(wire: Wire) -> None:
    call = request(2, "tools/call", name="echo", arguments={"texto": "x"}, _meta={"tzzr/timeoutMs": float("inf")})
    async with served() as reach, session_of(reach, wire) as session:
        result = (await session.ask(call))["result"]
    assert result["isError"]
    assert result["content"][0]["text"].startswith("El valor de _meta «tzzr/timeoutMs» es Infinity, pero se espera ")


@pytest.mark.parametrize("wire", WIRES)
async def test_what_belongs_to_the_handshake_means_nothing_elsewhere(wire: Wire) -> None:
    listing = request(2, "tools/list", capabilities={"extensions": dict(apps.EXTENSIONS)})
    async with served() as reach, session_of(reach, wire) as session:
        assert [tool["name"] for tool in (await session.ask(listing))["result"]["tools"]] == ["echo", "wait"]


@pytest.mark.parametrize("wire", WIRES)
async def test_a_long_message_is_served(wire: Wire) -> None:
    async with served() as reach, session_of(reach, wire) as session:
        answer = await session.ask(request(2, "tools/call", name="echo", arguments={"texto": "x" * 200_000}))
        assert len(answer["result"]["content"][0]["text"]) == 200_000


@pytest.mark.parametrize("second", [2, "2"], ids=["the same", "as a text"])
@pytest.mark.parametrize("wire", WIRES)
async def test_a_second_request_with_an_id_in_flight_is_refused_and_the_first_is_answered(
    wire: Wire, second: Any
) -> None:
    async with served() as reach, session_of(reach, wire) as session:
        call = request(2, "tools/call", name="wait", arguments={"texto": "5"})
        if isinstance(session, Session):
            await session.post(call)
            refused = (await session.post(request(second, "ping"))).json()
            answer = await session.answer()
        else:
            async with session.http.stream("POST", "/mcp", json=call) as first:
                refused = await session.ask(request(second, "ping"))
                await first.aread()
                answer = answer_of(first)
        assert (refused["error"]["code"], refused["id"]) == (-32600, second)
        assert "Ya hay una petición en curso" in refused["error"]["message"]
        assert answer["result"]["content"][0]["text"] == "hecho"
        assert (await session.ask(request(2, "ping")))["result"] == {}


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:80", "[::1]:9", "127.0.0.1:8000"])
async def test_a_slash_and_a_host_without_a_port_are_right(path: str, host: str) -> None:
    async with served() as reach, reach.http({**JSON, "Host": host}) as http:
        response = await http.post(path, json=request(1, "initialize", **HELLO))
        assert answer_of(response)["result"]["protocolVersion"] == "2025-11-25"
