"""The host against a real server on a loopback port (seed 3)."""

from __future__ import annotations

import re
import socket

import pytest

from tests.tzzr_mcp.host.serving import Address, Keyboard, host, serving
from tzzr_mcp.host import client
from tzzr_mcp.host.client import Era, connected, target
from tzzr_mcp.host.errors import HostError, Lost, Unreachable
from tzzr_mcp.plugins.conformance import plugin as conformance
from tzzr_mcp.server.transports.http.options import HttpOptions
from tzzr_mcp.server.transports.http.tokens import Tokens

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]


@pytest.mark.parametrize(
    ("path", "era", "protocol"),
    [
        ("/sse", "auto", "2025-11-25"),
        ("/sse", "2026-07-28", "2026-07-28"),
        ("/mcp", "auto", "2026-07-28"),
        ("/mcp", "2025-11-25", "2025-11-25"),
    ],
)
async def test_the_host_shakes_hands_discovers_calls_both_tools_in_order_and_leaves(
    path: str, era: Era, protocol: str
) -> None:
    keyboard = Keyboard()
    async with serving() as server:
        well = await host(server.url + path, keyboard, era).run()

    assert well
    told = [
        f"connecting to {server.url}{path}",
        f"handshake: protocol {protocol}",
        "capability tools",
        "discovery: 2 tools",
        "principal (number, required)  Monto total financiado.",
        "calling calculate_loan_amortization",
        "cuota mensual de 6,645.00",
        "Cuadro de amortización (48 rows)",
        "calling analyze_investment_projection",
        "se esperan 77,479.90",
        "source: Cálculo de TZZR: interés compuesto (computation)",
        "disconnected",
    ]
    places = [keyboard.read.find(each) for each in told]
    assert places == sorted(places)
    assert min(places) >= 0


async def test_a_server_that_is_not_there_is_told_with_the_next_act() -> None:
    async with serving() as server:
        url = server.url
    with pytest.raises(Unreachable, match=re.escape(f"{url}/sse")) as caught:
        await host(f"{url}/sse", Keyboard()).run()

    assert "start the server: mcp-server-tzzr --profile poc" in str(caught.value)


@pytest.mark.parametrize("path", ["/nowhere/sse", "/nowhere"])
async def test_a_wrong_path_is_told_with_the_right_ones(path: str) -> None:
    async with serving() as server:
        with pytest.raises(Unreachable, match=r"HTTP 404; is the path right\? SSE is /sse"):
            await host(server.url + path, Keyboard()).run()


@pytest.mark.parametrize("path", ["/sse", "/mcp"])
async def test_a_server_that_wants_a_token_is_entered_with_one(path: str) -> None:
    async with serving(options=HttpOptions(tokens=Tokens("swordfish", None))) as server:
        with pytest.raises(Unreachable, match="HTTP 401; give a token in SERVER_TOKEN"):
            await host(server.url + path, Keyboard()).run()

        assert await host(server.url + path, Keyboard(), token="swordfish").run()


@pytest.mark.parametrize("path", ["/sse", "/mcp"])
async def test_a_port_that_takes_the_call_and_says_nothing_is_given_up(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "HANDSHAKE_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(Unreachable, match="it did not answer in time"):
            await host(f"http://127.0.0.1:{port}{path}", Keyboard()).run()


async def test_a_server_without_the_calculators_is_told_so() -> None:
    keyboard = Keyboard()
    async with serving(conformance) as server:
        with pytest.raises(HostError, match=r"no tool calculate_loan_amortization .* plugin finance"):
            await host(f"{server.url}/mcp", keyboard).run()

    assert "discovery: 28 tools" in keyboard.read


async def test_a_server_that_goes_away_in_between_is_told_and_its_successor_is_found() -> None:
    async with serving() as first:
        with pytest.raises(Lost):
            await _asked_after_the_end(first)
    async with serving() as second:
        assert await host(f"{second.url}/sse", Keyboard()).run()


async def _asked_after_the_end(server: Address) -> None:
    async with connected(target(f"{server.url}/sse")) as connection:
        await server.stop()
        await connection.tools()


async def test_a_person_calls_any_tool_by_form() -> None:
    keyboard = Keyboard(
        ["1", "abc", "250000", "12.5", "48", "", "calculate_loan", "2", "50000", "0", "11", "4", "moderate"]
    )
    async with serving() as server:
        assert await host(f"{server.url}/sse", keyboard).run(interactive=True)

    assert "'abc' is no number; write it as 12 or 12.5" in keyboard.read
    assert "extraMonthlyPayment (number, optional)> " in keyboard.read
    assert "cuota mensual de 6,645.00" in keyboard.read
    assert "no tool 'calculate_loan'; did you mean calculate_loan_amortization?" in keyboard.read
    assert keyboard.lines[-1] == "disconnected"


async def test_what_the_server_refuses_is_shown_and_the_conversation_goes_on() -> None:
    keyboard = Keyboard(["calculate_loan_amortization", "-5", "12.5", "48", "", ""])
    async with serving() as server:
        assert await host(f"{server.url}/mcp", keyboard).run(interactive=True)

    assert "the tool reports an error:" in keyboard.read
    assert "«principal» vale -5" in keyboard.read
