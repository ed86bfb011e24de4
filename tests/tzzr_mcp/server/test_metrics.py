"""``/metrics``: what the trace tells, as numbers, with labels that nobody from outside can choose."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.routing import Route

from tests.conftest import GOLDEN
from tests.tzzr_mcp.server.tiny import a_server, a_tool, crash, echo, talking, wait
from tzzr_mcp.seams import NoTrace, Seams, Trace
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.metrics import Metrics
from tzzr_scenarios.stage import connected, staged

TOOLS = (a_tool(echo), a_tool(crash, name="crash"), a_tool(wait, name="wait"))
PLACE = {"trace_id": "t", "service": "grace", "method": "POST", "path": "/grace/run"}


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def a_silent_server() -> tuple[TzzrServer, Metrics, Trace]:
    seams = Seams()
    server = a_server(seams=seams)
    return server, Metrics(server), seams.trace


async def test_calls_are_counted_by_tool_and_outcome_and_timed() -> None:
    async with talking("auto", *TOOLS) as (client, server):
        metrics = Metrics(server)
        await client.call_tool("echo", {"texto": "a"})
        await client.call_tool("echo", {"texto": ""})
        await client.call_tool("crash", {"texto": "a"})
        await client.call_tool("wait", {"texto": "7"})
    assert value(metrics, "tzzr_calls_total", tool="echo", outcome="OK") == 1
    assert value(metrics, "tzzr_calls_total", tool="echo", outcome="ARGUMENT_INVALID") == 1
    assert value(metrics, "tzzr_calls_total", tool="crash", outcome="INTERNAL") == 1
    assert value(metrics, "tzzr_call_seconds_sum", tool="wait") == pytest.approx(7)
    assert value(metrics, "tzzr_call_seconds_bucket", tool="wait", le="5.0") == 0
    assert value(metrics, "tzzr_call_seconds_bucket", tool="wait", le="10.0") == 1


async def test_what_is_in_flight_is_seen_while_it_is() -> None:
    async with talking("auto", *TOOLS) as (client, server):
        metrics = Metrics(server)
        call = asyncio.ensure_future(client.call_tool("wait", {"texto": "7"}))
        await server.runtime.seams.clock.sleep(1)
        assert value(metrics, "tzzr_requests_in_flight") == 1
        await call
        assert value(metrics, "tzzr_requests_in_flight") == 0


async def test_attempts_at_a_service_are_counted_by_status_or_trouble() -> None:
    _, metrics, trace = a_silent_server()
    for ending in ({"status": 503}, {"trouble": "unreachable"}, {"status": 200}):
        trace.record("server", "upstream.request", **PLACE)
        assert value(metrics, "tzzr_upstream_in_flight", service="grace") == 1
        trace.record("server", "upstream.answer", **PLACE, **ending)
    assert value(metrics, "tzzr_upstream_in_flight", service="grace") == 0
    for outcome in ("503", "unreachable", "200"):
        assert value(metrics, "tzzr_upstream_attempts_total", service="grace", outcome=outcome) == 1
    assert value(metrics, "tzzr_upstream_request_seconds_count", service="grace") == 3


async def test_retries_fallbacks_cache_and_breakers_are_shown() -> None:
    _, metrics, trace = a_silent_server()
    trace.record("server", "retry", **PLACE, attempt=2, reason="broken", delay_s=0.2)
    trace.record("server", "fallback", module="OCR_GROQ", after="GRACE_JOB_FAILED", trace_id="t")
    trace.record("server", "cache", outcome="hit", module="HASHER", trace_id="t")
    trace.record("server", "breaker", service="grace", state="open")
    trace.record("server", "breaker", service="grace", module="OCR_LOCAL", state="open")
    trace.record("server", "breaker", service="grace", state="closed")
    assert value(metrics, "tzzr_retries_total", service="grace", reason="broken") == 1
    assert value(metrics, "tzzr_fallbacks_total", module="OCR_GROQ") == 1
    assert value(metrics, "tzzr_cache_total", outcome="hit") == 1
    assert value(metrics, "tzzr_breaker_open", service="grace", module="") == 0
    assert value(metrics, "tzzr_breaker_open", service="grace", module="OCR_LOCAL") == 1


async def test_the_calls_about_a_service_are_shown_and_those_of_them_that_queue() -> None:
    seen: dict[str, list[float | None]] = {"tzzr_upstream_calls": [], "tzzr_upstream_queue": []}
    faults = ["grace: first job is throttled for 3s"]
    async with staged(faults=faults) as stage, stage.server() as server, connected(server) as client:
        metrics = Metrics(server)
        calls = [asyncio.ensure_future(client.call_tool("clasificar", {"texto": text})) for text in ("uno", "dos")]
        for seconds in (1, 20):
            await server.runtime.seams.clock.sleep(seconds)
            for name, values in seen.items():
                values.append(value(metrics, name, service="grace"))
        await asyncio.gather(*calls)
    assert seen == {"tzzr_upstream_calls": [1, 0], "tzzr_upstream_queue": [1, 0]}


async def test_what_the_fakes_record_is_not_counted_and_what_began_before_is_counted_untimed() -> None:
    _, metrics, trace = a_silent_server()
    trace.record("grace", "cache", outcome="hit")
    trace.record("server", "tool.end", tool="echo", outcome="OK", trace_id="t")
    trace.record("server", "upstream.answer", **PLACE, status=200)
    assert value(metrics, "tzzr_cache_total", outcome="hit") is None
    assert value(metrics, "tzzr_calls_total", tool="echo", outcome="OK") == 1
    assert value(metrics, "tzzr_call_seconds_count", tool="echo") is None
    assert value(metrics, "tzzr_upstream_in_flight", service="grace") is None


async def test_the_page_is_prometheus_text() -> None:
    server, metrics, _ = a_silent_server()
    app = Starlette(routes=[Route("/metrics", metrics.answer)])
    async with server, httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        page = await client.get("/metrics")
    assert page.headers["Content-Type"].startswith("text/plain; version=")
    names = {family.name for family in text_string_to_metric_families(page.text)}
    assert {"tzzr_calls", "tzzr_call_seconds", "tzzr_upstream_attempts", "tzzr_breaker_open", "tzzr_cache"} <= names


async def test_the_whole_page_is_as_it_was(golden_difference: Callable[[Path, str], str]) -> None:
    server, metrics, trace = a_silent_server()
    async with server:
        await server.runtime.seams.clock.sleep(1)
        trace.record("server", "tool.start", tool="echo", trace_id="t")
        trace.record("server", "upstream.request", **PLACE)
        await server.runtime.seams.clock.sleep(0.75)
        trace.record("server", "upstream.answer", **PLACE, status=200)
        trace.record("server", "retry", **PLACE, attempt=2, reason="broken", delay_s=0.2)
        trace.record("server", "fallback", module="OCR_GROQ", after="GRACE_JOB_FAILED", trace_id="t")
        trace.record("server", "cache", outcome="hit", module="HASHER", trace_id="t")
        trace.record("server", "breaker", service="grace", state="half-open")
        trace.record("server", "seats", service="grace", taken=3)
        trace.record("server", "queue", service="grace", waiting=2)
        await server.runtime.seams.clock.sleep(70)
        trace.record("server", "tool.end", tool="echo", outcome="OK", trace_id="t")
    text = generate_latest(metrics.registry).decode()
    assert "\nprocess_cpu_seconds_total " in text
    lines = [line for line in text.splitlines() if not re.search(r"(^| )process_|_created", line)]
    assert golden_difference(GOLDEN / "metrics.txt", "\n".join([*lines, ""])) == ""


async def test_each_number_stands_in_the_docs_and_each_of_the_docs_is_there() -> None:
    _, metrics, _ = a_silent_server()
    shown = {family.name for family in metrics.registry.collect() if family.name.startswith("tzzr_")}
    page = (Path(__file__).parents[3] / "docs" / "deploy.md").read_text(encoding="utf-8")
    told = {name.removesuffix("_total") for name in re.findall(r"^\| `(tzzr_[a-z_]+)`", page, re.MULTILINE)}
    assert told == shown


@given(st.text().map(lambda text: f"swordfish{text}"))
def test_nothing_that_a_user_wrote_becomes_a_label(secret: str) -> None:
    async def play() -> bytes:
        _, metrics, trace = a_silent_server()
        assert isinstance(trace, NoTrace)
        trace.record("server", "upstream.request", **{**PLACE, "path": secret, "trace_id": secret}, key=secret)
        trace.record("server", "upstream.answer", **{**PLACE, "path": secret, "trace_id": secret}, status=404)
        trace.record("server", secret, tool=secret)
        return bytes((await metrics.answer(None)).body)  # type: ignore[arg-type]  # it does not look at the request

    assert secret.encode(errors="replace") not in asyncio.run(play())
