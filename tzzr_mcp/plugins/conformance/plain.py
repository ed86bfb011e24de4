"""Fixtures that need nothing but the ordinary plugin API."""

from __future__ import annotations

import json
from typing import Any

from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.output import Source, ToolOutput
from tzzr_mcp.plugins.api import Call

PAUSE_S = 0.05
"""Between two notifications, so that a client must take them one by one."""

SOURCE = "Piezas de prueba del protocolo"


def _output(call: Call[Any], text: str) -> ToolOutput:
    return ToolOutput(text, {}, Source(SOURCE, "computation", call.seams.clock.now()))


async def simple_text(call: Call[Any]) -> ToolOutput:
    """The suite's sentence."""
    return _output(call, "This is a simple text response for testing.")


async def fail(call: Call[Any]) -> ToolOutput:
    """Always an error result."""
    raise ContractError(Failure.of(Code.INTERNAL, "This tool intentionally returns an error for testing"))


async def progress(call: Call[Any]) -> ToolOutput:
    """Three steps, told to whoever sent a progress token."""
    for done in (0, 50, 100):
        await call.progress(f"{done} %", done, 100)
        await call.seams.clock.sleep(PAUSE_S)
    return _output(call, "Se informó del progreso en tres pasos.")


async def echo(call: Call[Any]) -> ToolOutput:
    """The arguments as they came, after the input schema let them pass."""
    return _output(call, json.dumps(dict(call.arguments), ensure_ascii=False, sort_keys=True))


async def static_text(call: Call[Any]) -> str:
    """A resource's text."""
    return "This is the content of the static text resource."


async def watched(call: Call[Any]) -> str:
    """The text of the resource that the suite subscribes to."""
    return "Watched resource content."


async def templated(call: Call[Any]) -> str:
    """JSON that holds the template's variable."""
    number = call.arguments["id"]
    return json.dumps({"id": number, "templateTest": True, "data": f"Data for ID: {number}"})
