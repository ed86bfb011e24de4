"""Where a URL leads."""

from __future__ import annotations

import pytest
from mcp import Client

from tzzr_mcp.host.client import Connection, Wire, target
from tzzr_mcp.host.errors import HostError, Unreachable
from tzzr_mcp.plugins.finance import plugin
from tzzr_mcp.server import build_server


@pytest.mark.parametrize(
    ("url", "wire", "expected", "chosen"),
    [
        ("http://localhost:3001/sse", None, "http://localhost:3001/sse", "sse"),
        ("http://10.0.0.5:3001", None, "http://10.0.0.5:3001/sse", "sse"),
        ("http://10.0.0.5:3001/", "http", "http://10.0.0.5:3001/mcp", "http"),
        ("https://mcp.example/tzzr/mcp", None, "https://mcp.example/tzzr/mcp", "http"),
        ("http://[::1]:3001/events", "sse", "http://[::1]:3001/events", "sse"),
    ],
)
def test_the_path_tells_the_transport_unless_it_is_given(
    url: str, wire: Wire | None, expected: str, chosen: str
) -> None:
    where = target(url, wire)

    assert (where.url, where.wire) == (expected, chosen)


@pytest.mark.parametrize("url", ["192.168.1.50:3001/sse", "localhost", "ftp://host/sse", ""])
def test_what_is_no_url_is_refused_with_a_guess(url: str) -> None:
    with pytest.raises(HostError, match="did you mean http://"):
        target(url)


def test_the_token_goes_into_the_header_and_into_no_line() -> None:
    where = target("http://localhost:3001/sse", token="swordfish")

    assert where.headers == {"Authorization": "Bearer swordfish"}
    assert "swordfish" not in f"{where} {where!r}"
    assert target("http://localhost:3001/sse").headers == {}


async def test_a_server_of_another_era_than_the_one_asked_for_is_refused() -> None:
    async with build_server([plugin], {}) as server, Client(server.mcp, mode="legacy") as client:
        connection = Connection(client)

        connection.check("auto")
        connection.check("2025-11-25")
        with pytest.raises(Unreachable, match=r"speaks protocol 2025-11-25, not 2026-07-28; leave --era out"):
            connection.check("2026-07-28")


async def test_the_catalogue_is_read_to_its_last_page() -> None:
    async with build_server([plugin], {}, page_size=1) as server, Client(server.mcp, cache=None) as client:
        assert [tool.name for tool in await Connection(client).tools()] == [tool.name for tool in plugin.tools]
