"""The official clients of both APIs, unmodified, in front of the model's fake of a world."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from tzzr_mocks.network.second import SecondTransport
from tzzr_mocks.world import World

MODEL = "tzzr-fake"
LEND = {
    "type": "object",
    "properties": {"principal": {"type": "number", "description": "Monto del préstamo."}},
    "required": ["principal"],
}
TOOLS: list[Any] = [
    {"type": "function", "function": {"name": "prestar", "description": "Calcula un préstamo.", "parameters": LEND}}
]
BLOCK_TOOLS: list[Any] = [{"name": "prestar", "description": "Calcula un préstamo.", "input_schema": LEND}]
SCRIPT: list[Mapping[str, Any]] = [
    {
        "when": "préstamo",
        "say": "Lo calculo.",
        "call": [{"prestar": {"principal": 250000}}, {"prestar": {"principal": 200000}}],
        "take": {"cuota": r"cuota de ([\d.]+)"},
        "answer": "Pagará {cuota} al mes.",
    }
]


@dataclass(frozen=True)
class Clients:
    """A world, and a client of each API. Neither tries again by itself."""

    world: World
    openai: AsyncOpenAI
    anthropic: AsyncAnthropic


@asynccontextmanager
async def clients(*faults: str, script: Any = None, key: str | None = None) -> AsyncIterator[Clients]:
    """Clients of a world with these faults, whose model follows the script."""
    async with World(faults=faults) as world, httpx2.AsyncClient(transport=SecondTransport(world.transport)) as http:
        world.llm.follow(script)
        api_key = key or world.environment["TZZR_MODEL_API_KEY"]
        base = world.environment["TZZR_MODEL_BASE_URL"]
        yield Clients(
            world,
            AsyncOpenAI(api_key=api_key, base_url=base, http_client=http, max_retries=0, timeout=60),
            AsyncAnthropic(
                api_key=api_key, base_url=base.removesuffix("/v1"), http_client=http, max_retries=0, timeout=60
            ),
        )


def says(text: str) -> list[Any]:
    """A conversation of one question, for either API."""
    return [{"role": "user", "content": text}]
