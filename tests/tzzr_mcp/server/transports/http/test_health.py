"""What operators are told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.tzzr_mcp.server.tiny import a_plugin
from tests.tzzr_mcp.server.transports.http.reaching import served
from tzzr_mcp.plugins.api import Opening, ServiceStatus
from tzzr_mcp.seams import Deadline, SystemClock
from tzzr_mcp.server.transports.http import HttpOptions
from tzzr_mcp.server.transports.http.health import FRESH_S
from tzzr_mcp.server.transports.http.tokens import Tokens


async def test_probes_come_under_any_name_and_without_a_token() -> None:
    async with served(options=HttpOptions(tokens=Tokens("alfa"))) as reach, reach.http({"Host": "10.1.2.3"}) as http:
        assert (await http.get("/healthz")).json() == {"status": "alive"}
        assert (await http.get("/readyz")).json() == {
            "ready": True,
            "plugins": {"tiny": True},
            "services": {"tiny": {"configured": True, "reachable": True, "breaker": "closed"}},
            "stopping": False,
        }


async def test_a_plugin_that_does_not_open_makes_the_server_not_ready_until_it_does(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = True

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[str]:
        if broken:
            raise RuntimeError("swordfish")
        yield "clients"

    async with served(plugin=a_plugin(lifespan=lifespan)) as reach, reach.http() as http:
        told = await http.get("/readyz")
        assert (told.status_code, told.json()["plugins"]) == (503, {"tiny": False})
        assert "swordfish" not in told.text
        messages = [record.getMessage() for record in caplog.records if record.name.endswith("http.health")]
        assert messages == ["plugin tiny does not open"]
        assert "swordfish" in caplog.text
        broken = False
        await SystemClock().sleep(FRESH_S)
        assert (await http.get("/readyz")).status_code == 200


async def test_a_service_that_does_not_answer_is_shown_and_asked_now_and_then() -> None:
    asked = 0

    async def probe(clients: Any, deadline: Deadline) -> ServiceStatus:
        nonlocal asked
        asked += 1
        return ServiceStatus("far", "far", "http://secret.example", configured=True, reachable=False)

    async with served(plugin=a_plugin(probes=(probe,))) as reach, reach.http() as http:
        for _ in range(10):
            told = await http.get("/readyz")
        row = {"configured": True, "reachable": False, "breaker": "closed"}
        assert (told.status_code, told.json()["services"]) == (200, {"far": row})
        assert "secret.example" not in told.text
        assert asked == 1


async def test_a_service_s_modules_whose_breaker_is_open_are_shown() -> None:
    async def probe(clients: Any, deadline: Deadline) -> ServiceStatus:
        modules = {"OCR_LOCAL": "open"}
        return ServiceStatus("far", "far", "", configured=True, reachable=True, breaker="half-open", modules=modules)

    async with served(plugin=a_plugin(probes=(probe,))) as reach, reach.http() as http:
        told = (await http.get("/readyz")).json()
    row = {"configured": True, "reachable": True, "breaker": "half-open", "modules": {"OCR_LOCAL": "open"}}
    assert told["services"] == {"far": row}


async def test_a_server_that_stops_is_not_ready() -> None:
    async with served() as reach, reach.http() as http:
        await http.get("/readyz")
        await reach.server.stop()
        told = await http.get("/readyz")
        assert (told.status_code, told.json()["stopping"]) == (503, True)
        assert (await http.get("/healthz")).status_code == 200


async def test_numbers_are_told_in_the_text_format_without_what_users_wrote() -> None:
    async with served() as reach:
        async with reach.client("http", "auto") as client:
            await client.call_tool("echo", {"text": "swordfish"})
        async with reach.http() as http:
            told = await http.get("/metrics")
    assert told.status_code == 200
    assert told.headers["content-type"].startswith("text/plain")
    assert "tzzr_calls_total{" in told.text
    assert "swordfish" not in told.text
