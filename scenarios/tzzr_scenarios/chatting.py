"""The chat gateway on a stage: server in process, and the world's model under the official client, or a real one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.models import adapter
from tzzr_mcp.gateway.settings import GatewaySettings
from tzzr_mocks.network.second import SecondTransport
from tzzr_scenarios.stage import Stage

_IN_PROCESS = {"TZZR_GATEWAY_SERVER": "stdio:mcp-server-tzzr"}
"""The gateway's settings name a server; here it gets the one in this process."""


@asynccontextmanager
async def gateway_on(stage: Stage, environ: Mapping[str, str], *, real_model: bool = False) -> AsyncIterator[Gateway]:
    """A gateway between the model and a server of its own on ``stage``; ``environ`` may set its limits.

    With ``real_model`` the model is the one that ``environ`` names, reached over the network; otherwise the world's.

    Raises:
        StartError: a setting is missing or wrong; the message lists them all.
        ModuleNotFoundError: the model's official client is not installed.
    """
    world = stage.world
    model_of = environ if real_model else {**environ, **world.environment}
    settings = GatewaySettings.from_env({**model_of, **_IN_PROCESS})
    transport = None if real_model else SecondTransport(world.transport)
    async with (
        stage.server() as server,
        adapter.opened(settings, world.seams, transport) as model,
        Gateway(settings.limits, in_process(server.mcp), model, world.seams) as gateway,
    ):
        yield gateway
