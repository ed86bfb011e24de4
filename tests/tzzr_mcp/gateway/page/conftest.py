"""One Chromium for all tests of the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.tzzr_mcp.gateway.page.browsing import CHROMIUM


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Any]:
    """The browser; each test opens a context of its own in it."""
    driver = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    async with driver.async_playwright() as playing:
        browser = await playing.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        await browser.close()
