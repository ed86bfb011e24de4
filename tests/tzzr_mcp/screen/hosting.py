"""A headless Chromium with a minimal host in it, which embeds the page in a sandboxed frame and hands it results."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tzzr_mcp.output import Source, ToolOutput
from tzzr_mcp.screen import page as screen_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HOST = Path(__file__).with_name("host.html").read_text(encoding="utf-8")
CAPABILITIES: Mapping[str, Any] = {"openLinks": {}, "serverResources": {}, "downloadFile": {}}
BROWSER = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.realtime,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
]


@dataclass
class Host:
    """The host's page, and the frame in it."""

    page: Any

    @property
    def frame(self) -> Any:
        """Where the page under test is."""
        return self.page.frames[1]

    async def shows(self, result: Mapping[str, Any]) -> None:
        """Hand over a tool's result, after its arguments, and wait until it is drawn."""
        await self.tells("ui/notifications/tool-input", {"arguments": {}})
        await self.tells("ui/notifications/tool-result", result)
        await self.frame.wait_for_selector("footer, .words, .notice")

    async def tells(self, method: str, params: Mapping[str, Any], identity: int | None = None) -> None:
        """Send a notification, or a request."""
        about = {"method": method, "params": params} | ({} if identity is None else {"id": identity})
        await self.page.evaluate("message => send(message)", about)

    async def heard(self, method: str) -> list[Any]:
        """The params of what came from the frame by that name."""
        heard: list[Any] = await self.page.evaluate("heard")
        return [message["params"] for message in heard if message.get("method") == method]

    async def cells(self, table: str) -> list[list[Any]]:
        """The values of the cells that are shown, row by row, as a person reads them."""
        rows = "rows => rows.map(row => [...row.cells].map(cell => cell.innerText))"
        texts: list[list[str]] = await self.frame.eval_on_selector_all(f"[data-table={table}] tbody tr", rows)
        return [[spoken(text) for text in row] for row in texts]

    async def lengthens(self, table: str) -> None:
        """Choose the longest pages, where a table has several."""
        sizes = self.frame.locator(f".table:has([data-table={table}]) select")
        if await sizes.is_visible():
            await sizes.select_option("100")

    async def chart(self, name: str) -> tuple[Mapping[str, str], Mapping[str, float]]:
        """A chart's paths by series, and its scale."""
        drawing = self.frame.locator(f"[data-chart={name}] .canvas svg")
        paths = "svg => Object.fromEntries([...svg.querySelectorAll('[data-series]')].map(one => [one.dataset.series, one.getAttribute('d')]))"
        await drawing.locator("*").first.wait_for(state="attached")
        scale: dict[str, str] = await drawing.evaluate("svg => ({...svg.dataset})")
        return await drawing.evaluate(paths), {side: float(number) for side, number in scale.items()}

    async def texts(self, selector: str) -> list[str]:
        """The texts of the elements, as they can be read."""
        texts: list[str] = await self.frame.locator(selector).all_inner_texts()
        return texts


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Any]:
    """One browser for the tests of a module: to start it is the dearest part of them."""
    api = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    async with api.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        await browser.close()


@asynccontextmanager
async def hosted(
    chromium: Any,
    html: str | None = None,
    *,
    context: Mapping[str, Any] | None = None,
    capabilities: Mapping[str, Any] = CAPABILITIES,
    **window: Any,
) -> AsyncIterator[Host]:
    """The page in a host that has greeted it. What it asks of the network, and what goes wrong in it, fails the test."""
    problems: list[str] = []
    page = await chromium.new_page(**window)
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("request", lambda request: problems.append(f"request: {request.url}"))
    page.on("console", lambda line: problems.append(f"console: {line.text}") if line.type == "error" else None)
    await page.set_content(HOST)
    await page.evaluate("given => embed(...given)", [html or screen_page(), context or {}, capabilities])
    await page.wait_for_function("heard.some(message => message.method === 'ui/notifications/initialized')")
    yield Host(page)
    await page.close()
    assert problems == []


def spoken(text: str) -> Any:
    """What a cell says, as a value of the table."""
    known: dict[str, Any] = {"—": None, "sí": True, "no": False}
    if re.fullmatch(r"-?[\d.]+(,\d+)?", text):
        return float(text.replace(".", "").replace(",", "."))
    return known.get(text, text)


def result_of(output: ToolOutput, **more: Any) -> dict[str, Any]:
    """A ``CallToolResult`` as a host has it."""
    return {"content": [{"type": "text", "text": output.text}], "structuredContent": output.structured(), **more}


def an_output(text: str = "Texto.", **parts: Any) -> ToolOutput:
    """A result with these parts."""
    return ToolOutput(
        text, {}, parts.pop("source", Source("Pruebas", "dataset", datetime(2026, 1, 4, tzinfo=UTC))), **parts
    )
