"""The live page in a real browser. Skipped where no Chromium or no playwright is installed."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tzzr_mocks.served import FakesServer, serve
from tzzr_mocks.world import World

playwright = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.realtime,
    pytest.mark.enable_socket,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
]


@asynccontextmanager
async def opened(*faults: str, **context: Any) -> AsyncIterator[tuple[FakesServer, Any, httpx.AsyncClient]]:
    """A server, its page in a browser, and a client of the fakes."""
    problems: list[str] = []
    async with (
        serve(World(time="real", faults=faults)) as server,
        playwright.async_playwright() as driver,
        httpx.AsyncClient(trust_env=False, timeout=20) as client,
    ):
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page(**context)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "request",
            lambda request: None if server.page.split("/__")[0] in request.url else problems.append(request.url),
        )
        await page.goto(server.page)
        await page.wait_for_selector("#state:text-is('live')")
        yield server, page, client
        await browser.close()
    assert [problem for problem in problems if not problem.startswith("data:")] == []


def agent(server: FakesServer, name: str = "alfred") -> str:
    return f"{server.environment['CONTEXT_BASE_URL']}/v1/agents/{name}/context"


async def test_requests_appear_as_they_come_and_one_is_shown_in_detail() -> None:
    async with opened("context: 2nd call fails with 503") as (server, page, client):
        for name in ("alfred", "alfred", "<b>x"):
            await client.get(agent(server, name))
        await page.wait_for_selector("#x3 .slow")
        await page.click("#x2")
        details = await page.inner_text("#details")
        rows = await page.locator("#rows tr").all_inner_texts()
        counts = await page.locator("#faults .n").all_inner_texts()
        await page.wait_for_selector("#faults .n:text-is('1×')")

    assert ["200" in rows[0], "503" in rows[1], "400" in rows[2]] == [True, True, True]
    assert "context: 2nd call fails with 503" in rows[1]
    assert "Faults that acted" in details
    assert "GET /v1/agents/alfred/context" in details
    assert '"code": "INTERNAL"' in details
    assert len(counts) == 1


async def test_the_keyboard_is_enough() -> None:
    async with opened() as (server, page, client):
        for name in ("alfred", "nadie"):
            await client.get(agent(server, name))
        await page.wait_for_selector("#x2 .slow")
        chosen = []
        for key in ("j", "j", "k", "ArrowDown"):
            await page.keyboard.press(key)
            chosen.append(await page.get_attribute("[aria-selected=true]", "id"))
        await page.keyboard.press("/")
        await page.keyboard.type("404")
        hidden = await page.locator("#x1").is_hidden()
        await page.keyboard.press("Escape")
        await page.keyboard.press("f")
        await page.keyboard.type("context: every call is truncated")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#faults li")
        await page.keyboard.press("Escape")
        await page.keyboard.press(" ")
        await page.wait_for_selector("#freeze:text-is('Run')")

        assert server.world.steering is not None
        assert server.world.steering.frozen
    assert chosen == ["x1", "x2", "x1", "x2"]
    assert hidden
    assert [rule.text for rule in server.world.plan.rules] == ["context: every call is truncated"]


async def test_a_fault_is_switched_off_and_on() -> None:
    async with opened("context: every call fails with 503") as (server, page, client):
        statuses = [(await client.get(agent(server))).status_code]
        for selector in ("#faults li.off", "#faults li:not(.off)"):
            await page.click("#faults input")
            await page.wait_for_selector(selector)
            statuses.append((await client.get(agent(server))).status_code)

    assert statuses == [503, 200, 503]


async def test_a_rule_that_cannot_be_is_told_with_its_mend_and_stays_to_be_mended() -> None:
    async with opened() as (_, page, _client):
        await page.fill("#rule", "grace: OCR_LOCL is down")
        await page.press("#rule", "Enter")
        await page.wait_for_selector("#refusal:not([hidden])")
        told, kept = await page.inner_text("#refusal"), await page.input_value("#rule")

    assert "did you mean 'OCR_LOCAL'?" in told
    assert kept == "grace: OCR_LOCL is down"


async def test_the_clock_is_frozen_and_advanced_and_a_job_is_seen_to_wait() -> None:
    async with opened() as (server, page, client):
        await page.click("#freeze")
        await page.wait_for_selector("#freeze:text-is('Run')")
        key = {"authorization": f"Bearer {server.environment['RUNPOD_API_KEY']}"}
        await client.post(f"{server.environment['GRACE_BASE_URL']}/grace/run", json={"input": {"x": 1}}, headers=key)
        await page.wait_for_selector("#jobs li")
        waiting = await page.inner_text("#jobs li")
        await page.fill("#by", "10m")
        await page.press("#by", "Enter")
        await page.wait_for_selector("#jobs .good, #jobs .bad, #jobs li:has-text('IN_PROGRESS')")

        assert server.world.elapsed >= 600
    assert "IN_QUEUE" in waiting


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_light_and_dark_follow_the_browser_and_can_be_changed(scheme: str) -> None:
    async with opened(color_scheme=scheme) as (_, page, _client):
        colour = "getComputedStyle(document.body).backgroundColor"
        first = await page.evaluate(colour)
        for _ in range(1 if scheme == "light" else 2):
            await page.keyboard.press("t")
        other = await page.evaluate(colour)

    assert (first == "rgb(22, 24, 27)") is (scheme == "dark")
    assert first != other


async def test_worlds_are_looked_at_one_by_one() -> None:
    async with opened() as (server, page, client):
        await server.worlds.create("ci-1", 3)
        await client.get(agent(server), headers={"x-tzzr-world": "ci-1"})
        await page.reload()
        await page.wait_for_selector("#state:text-is('live')")
        mine = await page.locator("#rows tr").count()
        await page.select_option("#world", "ci-1")
        await page.wait_for_selector("#x1")

        assert (mine, await page.inner_text("#seed")) == (0, "3")


async def test_what_an_upstream_says_is_text_and_never_markup() -> None:
    async with opened() as (server, page, client):
        await client.get(agent(server), headers={"x-note": "<img src=x onerror=document.title='owned'>"})
        await page.wait_for_selector("#x1 .good")
        await page.click("#x1")

        assert "<img src=x" in await page.inner_text("#details")
        assert await page.title() == "TZZR fakes"
