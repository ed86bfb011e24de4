"""Host and Origin: names and pages that may reach the server, and those that may not."""

from __future__ import annotations

import socket

import pytest

from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, request, served
from tests.tzzr_mcp.server.transports.http.test_limits import everything
from tzzr_mcp.server.transports.http import HttpOptions

MESSAGE = request(1, "initialize", **HELLO)
PUBLIC = HttpOptions(host="0.0.0.0")  # noqa: S104 - nothing listens in these tests
NAMED = HttpOptions(host="0.0.0.0", hosts=frozenset({"tzzr.example", "odd.example:81"}))  # noqa: S104
PAGES = HttpOptions(origins=("https://app.example",))


async def status(options: HttpOptions, path: str = "/mcp", **headers: str) -> int:
    async with served(options=options) as reach, reach.http({**JSON, **headers}) as http:
        return (await http.post(path, json=MESSAGE)).status_code


@pytest.mark.parametrize("path", ["/mcp", "/sse", "/messages", "/nowhere"])
@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "192.168.1.50:8000", "", "a b", "[::1", "127.0.0.1:x", "x@localhost"],
)
async def test_on_loopback_only_this_machine_s_names_are_right(path: str, host: str) -> None:
    assert await status(HttpOptions(), path, Host=host) == 421


@pytest.mark.parametrize(
    ("options", "host", "expected"),
    [
        (PUBLIC, "192.168.1.50:3001", 200),
        (PUBLIC, "[fe80::1]:3001", 200),
        (PUBLIC, "localhost:3001", 200),
        (PUBLIC, socket.gethostname(), 200),
        (PUBLIC, "evil.example:3001", 421),
        (NAMED, "tzzr.example:3001", 200),
        (NAMED, "TZZR.example.", 200),
        (NAMED, "odd.example:81", 200),
        (NAMED, "odd.example:82", 421),
        (HttpOptions(hosts=frozenset({"*"})), "evil.example", 200),
    ],
)
async def test_on_other_addresses_addresses_are_right_and_names_must_be_given(
    options: HttpOptions, host: str, expected: int
) -> None:
    assert await status(options, Host=host) == expected


@pytest.mark.parametrize(
    ("options", "origin", "expected"),
    [
        (HttpOptions(), "http://localhost:5173", 200),
        (HttpOptions(), "https://evil.example", 403),
        (HttpOptions(), "null", 403),
        (HttpOptions(), "http://[", 403),
        (HttpOptions(), "file://localhost", 403),
        (PUBLIC, "http://127.0.0.1:8000", 200),
        (PUBLIC, "http://127.0.0.1:9000", 403),
        (PAGES, "https://app.example", 200),
        (PAGES, "http://app.example", 403),
    ],
)
async def test_a_page_may_talk_to_its_own_server_and_where_it_is_named(
    options: HttpOptions, origin: str, expected: int
) -> None:
    assert await status(options, Origin=origin) == expected


@pytest.mark.parametrize(("method", "expected"), [("GET", 200), ("POST", 200), ("DELETE", 200), ("PUT", 400)])
async def test_a_named_page_may_use_the_methods_of_the_transports(method: str, expected: int) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": method}
    async with served(options=PAGES) as reach, reach.http(asked) as http:
        assert (await http.options("/mcp")).status_code == expected


async def test_no_page_is_told_that_it_may_read_unless_it_is_named() -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    async with served(options=PAGES) as reach, reach.http(asked) as http:
        told = await http.options("/mcp", headers={"Access-Control-Request-Headers": "mcp-session-id,authorization"})
        assert told.headers["access-control-allow-origin"] == "https://app.example"
        assert "mcp-session-id" in told.headers["access-control-allow-headers"]
        opened = await http.post("/mcp", json=MESSAGE, headers=JSON)
        assert opened.headers["access-control-expose-headers"] == "Mcp-Session-Id, WWW-Authenticate"
    async with served() as reach, reach.http() as http:
        told = await http.options("/mcp", headers={**asked, "Origin": "http://localhost:1"})
        assert "access-control-allow-origin" not in told.headers


async def test_a_request_without_a_host_is_under_no_name() -> None:
    async with served() as reach:
        connection = reach.connection()
        await connection.write(b"GET /sse HTTP/1.1\r\nConnection: close\r\n\r\n")
        told = (await everything(connection)).decode()
    assert told.startswith("HTTP/1.1 421 ")
    assert "El servidor no atiende bajo el nombre «» (cabecera Host)." in told


async def test_a_slash_too_many_is_no_way_to_another_path() -> None:
    async with served() as reach, reach.http(JSON) as http:
        assert (await http.get("/healthz/")).status_code == 404
