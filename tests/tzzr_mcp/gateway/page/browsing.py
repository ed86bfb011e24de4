"""A page in a headless Chromium, for tests marked ``browser``."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.tzzr_mcp.gateway.page.scripted import Api
from tzzr_mocks.served.port import Port

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MARKS = [
    pytest.mark.realtime,
    pytest.mark.enable_socket,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
    pytest.mark.asyncio(loop_scope="session"),
]


@asynccontextmanager
async def opened(chromium: Any, app: Any, where: str = "/", **context: Any) -> AsyncIterator[Any]:
    """The page of an application. No script may fail, no policy be broken, and nothing leave this machine."""
    problems: list[str] = []
    port = Port(app)
    origin = await port.open()
    visit = await chromium.new_context(locale="es-ES", timezone_id="Europe/Madrid", **context)
    try:
        page = await visit.new_page()
        _watch(page, origin, problems)
        await page.goto(origin + where)
        yield page
    finally:
        await visit.close()
        await port.close()
    assert problems == []


def _watch(page: Any, origin: str, problems: list[str]) -> None:
    page.set_default_timeout(10_000)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))
    page.on("console", lambda line: problems.append(line.text) if "Content Security" in line.text else None)
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((origin, f"blob:{origin}")) else problems.append(asked.url),
    )


@asynccontextmanager
async def scripted(chromium: Any, api: Api, where: str = "/", **context: Any) -> AsyncIterator[Any]:
    """The page on a scripted gateway, ready to be asked."""
    async with opened(chromium, api.app(), where, **context) as page:
        await page.wait_for_selector("#suggestions button, #trouble:not([hidden])")
        yield page


async def ask(page: Any, question: str) -> None:
    """Type a question where the focus is, and send it."""
    await page.keyboard.type(question)
    await page.keyboard.press("Enter")


async def answered(page: Any) -> None:
    """Wait until the newest answer is whole."""
    await page.wait_for_selector(".turn:last-child .answer[aria-busy=false]")
