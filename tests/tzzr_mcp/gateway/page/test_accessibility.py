"""The page before axe-core, the engine of accessibility checks, in the states that a person meets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mcp.gateway.page.browsing import MARKS, answered, ask, scripted
from tests.tzzr_mcp.gateway.page.scripted import Api, done, finished, said, started
from tests.tzzr_mcp.gateway.page.test_chart import COLUMNS, ROWS_DRAWN, chart
from tzzr_mcp.gateway.events import ErrorEvent, Event, Link, LinksEvent, Notice, NoticeEvent, Table, TableEvent

pytestmark = MARKS


def everything() -> list[Event]:
    """An answer with every part that there is."""
    return [
        started(año=2025),
        finished(),
        NoticeEvent(call="1", notice=Notice(level="warning", text="Se redondeó.")),
        TableEvent(call="1", table=Table(id="t", title="Producción", columns=COLUMNS, rows=ROWS_DRAWN * 4, total=16)),
        chart("line", "eolica", "solar"),
        chart("bar", "eolica"),
        LinksEvent(call="1", links=(Link(title="Los datos", uri="datos://energia"),)),
        *said("# Resumen\n\n**Doce** `GWh`:\n\n- uno\n- dos\n\n```\ncódigo\n```\n\n  a   b\n  c   d"),
        ErrorEvent(code="X", message="Se cortó.", retryable=True),
        done(stopped="error"),
    ]


async def violations(page: Any) -> list[str]:
    """What axe finds, one line for each element."""
    module = pytest.importorskip(
        "axe_playwright_python.async_playwright", reason="axe-playwright-python is not installed"
    )
    seen = (await module.Axe().run(page)).response
    assert len(seen["passes"]) > 10
    return [f"{one['id']}: {node['html'][:120]}" for one in seen["violations"] for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
async def test_axe_finds_nothing_in_any_state(chromium: Any, scheme: Any, width: int) -> None:
    viewport: Any = {"width": width, "height": 800}
    async with scripted(chromium, Api([everything()]), viewport=viewport, color_scheme=scheme) as page:
        found = await violations(page)
        await ask(page, "¿Cuánta?")
        await answered(page)
        await page.click(".steps summary")
        found += await violations(page)
        await page.click("button:text-is('Los datos')")
        await page.wait_for_selector("#resource table")
        found += await violations(page)

    assert found == []


async def test_axe_finds_nothing_where_a_token_is_asked_for(chromium: Any) -> None:
    async with scripted(chromium, Api(token="s3creto")) as page:
        await page.wait_for_selector("#token[open]")

        assert await violations(page) == []
