"""The gateway's API, reached in process on virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from tests.tzzr_mcp.gateway.scripted import a_gateway
from tzzr_mcp.gateway.api import Access, create_app
from tzzr_mcp.gateway.events import EVENT, Event
from tzzr_mcp.plugins.api import Tool
from tzzr_mocks.network.direct import DirectTransport


@asynccontextmanager
async def an_api(
    model: Any, *tools: Tool, access: Access | None = None, **more: Any
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the API of a gateway that is running already."""
    async with a_gateway(model, *tools, **more) as gateway:
        transport = DirectTransport(create_app(gateway, access))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080", timeout=None) as http:  # noqa: S113
            yield http
        await transport.aclose()


async def asked(http: httpx.AsyncClient, *messages: dict[str, Any] | str) -> list[Event]:
    """Every event of one answer."""
    told = [{"role": "user", "content": each} if isinstance(each, str) else each for each in messages]
    async with http.stream("POST", "/api/chat", json={"messages": told}) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        return [event async for event in _events(response)]


async def _events(response: httpx.Response) -> AsyncIterator[Event]:
    name = ""
    async for line in response.aiter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            event = EVENT.validate_json(line.removeprefix("data: "))
            assert event.type == name
            yield event
