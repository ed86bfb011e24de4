"""A server's control plane and ports without sockets, on virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.desk import control_app
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.network.hosts import HostsTransport
from tzzr_mocks.served.access import AccessMiddleware
from tzzr_mocks.served.dispatch import Dispatch
from tzzr_mocks.served.worlds import Worlds
from tzzr_mocks.world import World

TOKEN = "the-token-of-this-test"


@dataclass(frozen=True)
class Desktop:
    """A server's worlds, and a client of its control plane; ``ports`` leads to every port by its service's name."""

    worlds: Worlds
    control: httpx.AsyncClient
    ports: httpx.AsyncClient


@asynccontextmanager
async def desktop() -> AsyncIterator[Desktop]:
    """One default world, not served on any socket."""
    worlds = Worlds(World(time="real"))
    worlds.origins.update({service: f"http://{service}" for service in HOSTS})
    control = AccessMiddleware(control_app(worlds), TOKEN)
    ports = {service: DirectTransport(Dispatch(service, worlds, control)) for service in HOSTS}
    here = httpx.AsyncClient(
        transport=DirectTransport(Dispatch("grace", worlds, control)), base_url="http://localhost/__tzzr"
    )
    everywhere = httpx.AsyncClient(transport=HostsTransport(ports))
    await worlds.start()
    async with here, everywhere:
        yield Desktop(worlds, here, everywhere)
    await worlds.stop()
