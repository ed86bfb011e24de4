"""OpenTelemetry: the SDK makes the spans, and each says which trace id the contract has for it."""

from __future__ import annotations

import pytest
from mcp import MCPError
from mcp.shared import _otel
from mcp.types import ResourceTemplateReference
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_tool, crash, echo, meta_of, refuse, talking


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What an exporter would get."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(_otel, "_tracer", provider.get_tracer("tests"))
    return exporter


@pytest.mark.parametrize("era", ERAS)
async def test_the_span_of_a_call_has_the_trace_id_that_the_result_tells(era: Era, spans: InMemorySpanExporter) -> None:
    async with talking(era, a_tool(echo), a_tool(refuse, name="refuse")) as (client, _):
        results = {tool: await client.call_tool(tool, {"texto": "a"}) for tool in ("echo", "refuse")}
    served = {
        str(span.attributes["gen_ai.tool.name"]): span.attributes["tzzr.trace_id"]
        for span in spans.get_finished_spans()
        if span.attributes is not None and "tzzr.trace_id" in span.attributes
    }
    assert served == {tool: meta_of(result)["tzzr/traceId"] for tool, result in results.items()}


async def test_no_span_holds_the_arguments_of_a_call(spans: InMemorySpanExporter) -> None:
    async with talking("auto", a_tool(echo)) as (client, _):
        await client.call_tool("echo", {"texto": "swordfish"})
    assert len(spans.get_finished_spans()) > 0
    assert "swordfish" not in "".join(span.to_json() for span in spans.get_finished_spans())


@pytest.mark.parametrize("era", ERAS)
async def test_no_span_holds_the_text_of_an_exception(
    era: Era, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("swordfish")

    monkeypatch.setattr("tzzr_mcp.server.prompts.rendered", broken)
    async with talking(era, a_tool(crash)) as (client, _):
        await client.call_tool("echo", {"texto": "a"})
        with pytest.raises(MCPError):
            await client.get_prompt("saluda", {"quien": "Ana"})
        with pytest.raises(MCPError):
            await client.read_resource("tiny://name/crash")
        await client.complete(ResourceTemplateReference(uri="tiny://name/{name}"), {"name": "name", "value": "crash"})
    assert "swordfish" not in "".join(span.to_json() for span in spans.get_finished_spans())
