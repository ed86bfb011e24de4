"""Bodies and headers that are too long or too slow: refused, and the server goes on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, Reach, request, served
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server.transports.http import HttpOptions
from tzzr_mcp.server.transports.http.body import BODY_S, DISCARD_S
from tzzr_mcp.server.transports.http.slow import HEADER_S
from tzzr_mocks.network.stream import Stream

POST = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def goes_on(reach: Reach) -> None:
    """The server serves the next client."""
    async with reach.http(JSON) as http:
        assert (await http.post("/mcp", json=request(1, "initialize", **HELLO))).status_code == 200


async def everything(connection: Stream) -> bytes:
    """What comes until the server closes."""
    told = b""
    while chunk := await connection.read(65536):
        told += chunk
    return told


@pytest.mark.parametrize("path", ["/mcp", "/messages?sessionId=x"])
async def test_a_body_of_eleven_megabytes_is_refused_although_it_is_sent_whole(path: str) -> None:
    async with served() as reach:
        async with reach.http(JSON) as http:
            response = await http.post(path, content=b"x" * 11_000_000)
            assert (response.status_code, response.headers["connection"]) == (413, "close")
            assert response.json() == {
                "jsonrpc": "2.0",
                "id": None,
                "error": {"code": -32600, "message": "El mensaje pasa de 10485760 bytes, el límite."},
            }
        await goes_on(reach)


@pytest.mark.parametrize("pieces", [False, True], ids=["with its length", "in pieces"])
@pytest.mark.parametrize(("beyond", "status"), [(0, 200), (1, 413)])
async def test_a_body_may_have_just_as_many_bytes_as_the_limit_says(beyond: int, status: int, pieces: bool) -> None:
    body = json.dumps(request(1, "initialize", **HELLO)).encode().ljust(5000 + beyond)

    async def cut() -> AsyncIterator[bytes]:
        yield body[:3000]
        yield body[3000:]

    async with served(options=HttpOptions(max_body=5000)) as reach, reach.http(JSON) as http:
        response = await http.post("/mcp", content=cut() if pieces else body)
        assert response.status_code == status


@pytest.mark.parametrize(
    ("content", "code", "told"),
    [
        (b"", -32700, "El cuerpo de la petición está vacío; se espera un mensaje JSON-RPC."),
        (b"nada", -32700, 'El mensaje no es JSON en UTF-8: "nada".'),
    ],
    ids=["nothing", "no JSON"],
)
@pytest.mark.parametrize("path", ["/mcp", "/messages?sessionId=x"])
async def test_what_is_no_message_is_a_bad_request_with_the_error_that_it_deserves(
    path: str, content: bytes, code: int, told: str
) -> None:
    async with served() as reach, reach.http(JSON) as http:
        response = await http.post(path, content=content)
        assert response.status_code == 400
        assert response.headers["content-type"] == "application/json"
        assert "connection" not in response.headers
        assert response.json() == {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": told}}


async def test_a_body_without_a_length_is_bounded_too() -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 1000

    async with served(options=HttpOptions(max_body=5000)) as reach:
        async with reach.http(JSON) as http:
            assert (await http.post("/mcp", content=endless())).status_code == 413
        await goes_on(reach)


async def test_a_body_that_never_ends_is_not_waited_for_after_it_is_refused() -> None:
    async with served(options=HttpOptions(max_body=5000)) as reach:
        connection, clock = reach.connection(), SystemClock()
        await connection.write(POST + b"Content-Length: 9999\r\n\r\n")
        began = clock.monotonic()
        assert b"413 " in await everything(connection)
        assert clock.monotonic() - began == pytest.approx(DISCARD_S)


async def test_half_a_body_is_waited_for_a_while() -> None:
    async with served() as reach:
        connection, clock = reach.connection(), SystemClock()
        await connection.write(POST + b"Content-Length: 100\r\n\r\n{")
        began = clock.monotonic()
        told = await everything(connection)
        assert b"408 Request Timeout" in told
        assert "El mensaje no llegó entero en 60 s." in told.decode()
        assert b"connection: close" in told.lower()
        assert clock.monotonic() - began == pytest.approx(BODY_S)
        await goes_on(reach)


async def test_a_client_that_goes_in_the_middle_of_its_body_leaves_nothing() -> None:
    async with served() as reach:
        connection = reach.connection()
        await connection.write(POST + b"Content-Length: 100\r\n\r\n{")
        await connection.aclose()
        await SystemClock().sleep(1)
        assert not reach.state.tasks
        await goes_on(reach)


@pytest.mark.parametrize("begun", [b"", b"GET /sse HTTP/1.1\r\nHost: loc"], ids=["nothing", "half a header"])
async def test_headers_that_do_not_come_are_waited_for_a_while(begun: bytes) -> None:
    async with served() as reach:
        connection, clock = reach.connection(), SystemClock()
        await connection.write(begun)
        began = clock.monotonic()
        assert (await everything(connection)).startswith(b"HTTP/1.1 408 ")
        assert clock.monotonic() - began == pytest.approx(HEADER_S)
        await SystemClock().sleep(1)
        assert not reach.state.connections
        await goes_on(reach)


async def test_a_byte_now_and_then_does_not_put_the_end_off() -> None:
    async with served() as reach:
        connection, clock = reach.connection(), SystemClock()
        began = clock.monotonic()
        for byte in b"GET /sse HTTP/1.1\r\nHost: localhost":
            if connection.get_extra_info("is_readable"):
                break
            await connection.write(bytes([byte]))
            await clock.sleep(0.6)
        assert HEADER_S <= clock.monotonic() - began < HEADER_S + 1
        assert b"408" in await everything(connection)


async def test_a_further_request_has_its_own_time_for_headers() -> None:
    async with served() as reach:
        connection, clock = reach.connection(), SystemClock()
        for _ in range(3):
            await clock.sleep(4)
            await connection.write(HEALTH)
            assert b"alive" in await connection.read(65536)
        await connection.write(HEALTH[:20])
        began = clock.monotonic()
        assert b"408" in await everything(connection)
        assert clock.monotonic() - began == pytest.approx(HEADER_S)


async def test_a_call_that_takes_long_is_not_taken_for_slow_headers() -> None:
    async with served() as reach, reach.http(JSON) as http:
        begun = await http.post("/mcp", json=request(1, "initialize", **HELLO))
        session = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
        call = request(2, "tools/call", name="wait", arguments={"texto": "40"})
        assert "hecho" in (await http.post("/mcp", json=call, headers=session)).text


async def test_what_is_no_http_is_refused() -> None:
    async with served() as reach:
        connection = reach.connection()
        await connection.write(b"\x16\x03\x01 this is TLS\r\n\r\n")
        assert b"400 Bad Request" in await everything(connection)
        await goes_on(reach)
