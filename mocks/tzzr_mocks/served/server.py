"""Serves worlds on ports."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.control.errors import unknown
from tzzr_mocks.desk import CONTROL_PREFIX, DEFAULT, control_app
from tzzr_mocks.served.access import AccessMiddleware
from tzzr_mocks.served.dispatch import Dispatch
from tzzr_mocks.served.port import Port
from tzzr_mocks.served.worlds import Worlds
from tzzr_mocks.world import World

DEFAULT_PORTS: Final[Mapping[str, int]] = MappingProxyType({"grace": 8050, "hst": 8055, "context": 5500, "llm": 8060})
"""The ports of the ``tzzr mocks`` command; those of HST and the Context Manager are the real ones (seed, CONTRACT §6)."""


@dataclass(frozen=True)
class FakesServer:
    """Fakes that are served. ``page`` is the address of the live page."""

    worlds: Worlds

    @property
    def environment(self) -> dict[str, str]:
        """Every variable that a server needs to reach the default world through the ports."""
        return self.worlds.environment(DEFAULT)

    @property
    def world(self) -> World:
        """The default world."""
        return self.worlds.named(DEFAULT)

    @property
    def page(self) -> str:
        """Where the live page is."""
        return f"{next(iter(self.worlds.origins.values()))}{CONTROL_PREFIX}/"


@asynccontextmanager
async def serve(
    world: World | None = None,
    *,
    ports: Mapping[str, int] | None = None,
    host: str = "127.0.0.1",
    token: str | None = None,
) -> AsyncIterator[FakesServer]:
    """Serve the fakes on the running loop until the block is left.

    ``world`` is the default world, in real time and not started; ``ports`` gives a port to each service that is to
    have a fixed one, 0 or none: any free one. ``token`` opens the control plane to other machines.

    Raises:
        PlanError: ``ports`` names a service that there is not.
        ValueError: the world's time is virtual, which no real socket follows.
        OSError: a port is taken.
    """
    if world is not None and world.steering is None:
        raise ValueError("a world on virtual time cannot be served on sockets; make it with World(time='real')")
    for name in ports or {}:
        if name not in HOSTS:
            raise unknown("service", name, HOSTS)
    worlds = Worlds(world or World(time="real"))
    control = AccessMiddleware(control_app(worlds), token)
    async with AsyncExitStack() as stack:
        await worlds.start()
        stack.push_async_callback(worlds.stop)
        for service in HOSTS:
            port = Port(Dispatch(service, worlds, control), host, (ports or {}).get(service, 0))
            worlds.origins[service] = await port.open()
            stack.push_async_callback(port.close)
        yield FakesServer(worlds)
