"""A gateway between a real server and the model's fake of a world, through the official clients."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from tests.tzzr_mcp.server.tiny import a_server
from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.models.adapter import opened
from tzzr_mcp.gateway.settings import GatewaySettings, Limits
from tzzr_mcp.plugins.api import Tool
from tzzr_mocks.network.second import SecondTransport
from tzzr_mocks.world import World
from tzzr_scenarios.stage import Stage

Api = Literal["openai", "anthropic"]
APIS: tuple[Api, Api] = ("openai", "anthropic")


@dataclass(frozen=True)
class Chat:
    """A gateway, and the world whose model it asks."""

    gateway: Gateway
    world: World

    @property
    def read(self) -> str:
        """Everything that the model was sent, uncut."""
        return "\n".join(self.world.llm.seen)


def settings_of(world: World, api: Api = "openai", **more: str) -> GatewaySettings:
    """The settings of a gateway whose model is the world's."""
    return GatewaySettings.from_env(
        {**world.environment, "TZZR_MODEL_API": api, "TZZR_GATEWAY_SERVER": "http://127.0.0.1:8000/mcp", **more}
    )


@asynccontextmanager
async def a_chat(
    script: Sequence[Mapping[str, Any]] | None,
    *tools: Tool,
    api: Api = "openai",
    faults: Sequence[str] = (),
    plugins: str | None = None,
    limits: Limits | None = None,
    **settings: str,
) -> AsyncIterator[Chat]:
    """A chat with a server of the tiny plugin with ``tools``, or of the real ``plugins``."""
    async with World(faults=faults) as world:
        world.llm.follow(script)
        stage = Stage(world, {"TZZR_PLUGINS": plugins} if plugins else {})
        serving = stage.server() if plugins else a_server(*tools, seams=world.seams)
        told = settings_of(world, api, **settings)
        async with (
            serving as server,
            opened(told, world.seams, SecondTransport(world.transport)) as model,
            Gateway(limits or told.limits, in_process(server.mcp), model, world.seams) as gateway,
        ):
            yield Chat(gateway, world)
