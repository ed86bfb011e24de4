"""A server with the plugin finance alone, and how the tests call its tools."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from mcp import Client
from mcp.types import CallToolResult, TextContent

from tzzr_mcp.plugins.finance import plugin
from tzzr_mcp.seams import Dice, LoopClock, Seams
from tzzr_mcp.server import build_server

LOAN: dict[str, Any] = {"principal": 250_000, "annualInterestRate": 12.5, "termMonths": 48}
INVESTMENT: dict[str, Any] = {
    "initialCapital": 50_000,
    "monthlyContribution": 0,
    "annualReturnRate": 11,
    "timeHorizonYears": 4,
    "annualInflationRate": 4,
    "riskProfile": "moderate",
}


@asynccontextmanager
async def calculators() -> AsyncIterator[Client]:
    """A client of the two calculators, in process; no key, no network."""
    seams = Seams(LoopClock(datetime(2026, 1, 4, 10, tzinfo=UTC)), Dice(7))
    async with build_server([plugin], {}, seams=seams) as server, Client(server.mcp, cache=None) as client:
        yield client


def said(result: CallToolResult) -> str:
    """The text for the model."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def figures(result: CallToolResult) -> dict[str, Any]:
    """The data of a result that is no error."""
    assert not result.is_error, said(result)
    assert result.structured_content is not None
    found: dict[str, Any] = result.structured_content["data"]
    return found
