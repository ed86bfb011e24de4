"""A stage: the real server, its faked upstreams and a client, together. The only place that builds the server."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from types import TracebackType
from typing import Any, Literal, TypeVar

from mcp import Client
from pydantic import BaseModel

from tzzr_mcp.server import TzzrServer, build_server, discover
from tzzr_mcp.server.transports.http import HttpOptions, http_app
from tzzr_mcp.settings import CoreSettings, StartError, did_you_mean, variables
from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.served import serve
from tzzr_mocks.world import World
from tzzr_scenarios.compiled import share_compiled_schemas
from tzzr_scenarios.wires import PATIENCE_S, Wire, only, process, served

T = TypeVar("T")
Era = Literal["2026-07-28", "2025-11-25"]
DEFAULT_PLUGINS = "system,grace,hst,context"
EVERY_PLUGIN = f"{DEFAULT_PLUGINS},finance"
"""The plugins that users of the server may enable: what `conformance` brings is for the protocol's own suite."""
ERAS: tuple[Era, ...] = ("2026-07-28", "2025-11-25")
_MODES: Mapping[str, Literal["auto", "legacy"]] = {"2026-07-28": "auto", "2025-11-25": "legacy"}


_GATEWAY = ("TZZR_MODEL", "TZZR_GATEWAY")
"""What the names of the gateway's own variables begin with."""
_plugins = functools.cache(discover)
"""Plugins are values, and looking through every installed distribution would be half of a short scenario's time."""


@dataclass
class Stage:
    """A server on a world. ``settings`` are environment variables of the server beside those that reach the fakes.

    With ``sockets`` the server reaches them over the network, at the addresses that ``settings`` name. ``live`` is the
    environment of a server that asks the real services instead; then the world is there for its clock and trace alone.

    Clients are opened in the body of a test, never in a fixture: one task opens and closes them.
    """

    world: World
    settings: Mapping[str, str] = field(default_factory=dict)
    servers: int = 0
    sockets: bool = False
    live: Mapping[str, str] | None = None

    @asynccontextmanager
    async def server(self) -> AsyncIterator[TzzrServer]:
        """The server, built anew and opened."""
        async with self._built() as built:
            yield built

    @property
    def environ(self) -> dict[str, str]:
        """Every environment variable of the server, which never meets the model."""
        return {name: value for name, value in self.gateway_environ.items() if not name.startswith(_GATEWAY)}

    @property
    def gateway_environ(self) -> dict[str, str]:
        """Every environment variable of the chat gateway, among them the server's."""
        return {**(self.world.environment if self.live is None else self.live), **self.settings}

    def _built(self) -> TzzrServer:
        """The server, built anew, with dice of its own: two servers never draw the same trace id."""
        self.servers += 1
        seams = replace(self.world.seams, dice=self.world.seams.dice.named(f"server {self.servers}"))
        environ = self.environ
        plugins = _plugins(environ.get("TZZR_PLUGINS", DEFAULT_PLUGINS))
        transport = None if self.sockets or self.live is not None else self.world.transport
        return build_server(plugins, environ, seams=seams, transport=transport)

    @asynccontextmanager
    async def app(self) -> AsyncIterator[ASGIApp]:
        """The HTTP application of a server of its own, started, for whoever speaks HTTP to it without the SDK."""
        app = http_app(self._built(), HttpOptions(idle_s=PATIENCE_S))
        async with served(app):
            yield app

    @asynccontextmanager
    async def client(
        self, era: Era = ERAS[0], wire: Wire = "memory", made: Callable[..., Client] = Client
    ) -> AsyncIterator[Client]:
        """A client of a server of its own, in one protocol era, over one transport; over stdio in another process."""
        if wire == "memory":
            async with self.server() as server, _talking(server.mcp, era, made) as client:
                yield client
        elif wire == "stdio":
            async with _talking(process(self.environ), era, made) as client:
                yield client
        else:
            app = http_app(self._built(), HttpOptions(idle_s=PATIENCE_S))
            async with served(app) as reach, _talking(reach.reached(wire), era, made) as client:
                yield client


class Seat:
    """Where the client of a scenario sits: a client of a server of its own, which may be started anew."""

    def __init__(self, stage: Stage, era: Era, wire: Wire = "memory") -> None:
        self._stage, self._era, self._wire = stage, era, wire
        self._door = AsyncExitStack()
        self.restarts = 0

    async def __aenter__(self) -> Client:
        """Open server and client; to be left by the task that entered."""
        return await self._door.enter_async_context(self._stage.client(self._era, self._wire))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        return await self._door.__aexit__(kind, error, traceback)

    async def enter(self, opened: Callable[[Stage, Era, Wire], AbstractAsyncContextManager[T]]) -> T:
        """Open something more on this stage, which ends with the client."""
        return await self._door.enter_async_context(opened(self._stage, self._era, self._wire))

    async def restart(self) -> Client:
        """End client and server, and open both anew; the client."""
        self.restarts += 1
        await self._door.aclose()
        return await self.__aenter__()


@asynccontextmanager
async def connected(server: TzzrServer, era: Era = ERAS[0]) -> AsyncIterator[Client]:
    """One more client of an open server, in process."""
    async with _talking(server.mcp, era) as client:
        yield client


@asynccontextmanager
async def _talking(target: Any, era: Era, made: Callable[..., Client] = Client) -> AsyncIterator[Client]:
    """The SDK's client of a server or of a transport, ``made`` by its class.

    What the body raises leaves as it is: the client's task group would wrap it in exception groups.
    """
    try:
        async with made(target, mode=_MODES[era], cache=None) as client:
            share_compiled_schemas(client.session)
            yield client
    except BaseExceptionGroup as group:
        raise only(group) from None


@asynccontextmanager
async def staged(
    seed: int = 7,
    *,
    faults: Sequence[str | Mapping[str, Any]] = (),
    settings: Mapping[str, str] | None = None,
    starting: str = "default",
    time: Literal["virtual", "real"] = "virtual",
) -> AsyncIterator[Stage]:
    """A stage on a world of its own, closed at the end."""
    async with World(seed, time=time, faults=faults, starting=starting) as world:
        yield Stage(world, settings or {})


@asynccontextmanager
async def on_ports(
    seed: int = 7,
    *,
    faults: Sequence[str | Mapping[str, Any]] = (),
    settings: Mapping[str, str] | None = None,
    starting: str = "default",
) -> AsyncIterator[Stage]:
    """A stage in real time whose fakes are on ports of this machine, where a server in another process reaches them.

    Raises:
        PlanError: a fault can only be met by a client in the fakes' own process.
    """
    world = World(seed, time="real", starting=starting)
    async with serve(world) as fakes:
        for fault in faults:
            world.plan.add(fault)
        yield Stage(world, {**fakes.environment, **(settings or {})}, sockets=True)


@asynccontextmanager
async def live(environ: Mapping[str, str], settings: Mapping[str, str]) -> AsyncIterator[Stage]:
    """A stage in real time whose server asks the services that ``environ`` names."""
    async with World(time="real") as world:
        yield Stage(world, settings, live=environ)


class Unsettled(ValueError):
    """A server of this environment could not start; the message lists every variable that is missing or wrong."""


def check_settings(names: Collection[str]) -> None:
    """Whether each of these is a variable that the server, a plugin or the gateway reads.

    Raises:
        Unsettled: one is none, with the nearest that is.
    """
    for name in names:
        if not name.startswith(_GATEWAY) and name not in _variables():
            mend = did_you_mean(name, _variables()) or "; tzzr_mcp's own are listed by mcp-server-tzzr --settings"
            raise Unsettled(f"given.settings: {name} is no setting of the server{mend}")


@functools.cache
def _variables() -> frozenset[str]:
    """Every environment variable that the core or an installed plugin reads."""
    installed = ",".join(sorted(point.name for point in entry_points(group="tzzr_mcp.plugins")))
    models: list[type[BaseModel]] = [CoreSettings, *(plugin.settings for plugin in _plugins(installed))]
    return frozenset(name for model in models for name in variables(model))


def settings_models() -> dict[str, type[BaseModel]]:
    """Who reads settings, and the model that says which: the core, and each plugin of `EVERY_PLUGIN`."""
    return {"core": CoreSettings, **{plugin.name: plugin.settings for plugin in _plugins(EVERY_PLUGIN)}}


def check_live(environ: Mapping[str, str]) -> None:
    """Whether a server of this environment could start.

    Raises:
        Unsettled: it could not.
    """
    try:
        build_server(_plugins(environ.get("TZZR_PLUGINS") or DEFAULT_PLUGINS), environ)
    except StartError as error:
        raise Unsettled(str(error)) from error


@dataclass(frozen=True)
class Offered:
    """What the server offers, by name, as its own catalogue says."""

    tools: tuple[str, ...]
    resources: tuple[str, ...]
    prompts: tuple[str, ...]


async def offered() -> Offered:
    """What the server with its default plugins offers."""
    async with staged() as stage, stage.client() as client:
        resources = [str(each.uri) for each in (await client.list_resources()).resources]
        templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        return Offered(
            tuple(tool.name for tool in (await client.list_tools()).tools),
            (*resources, *templates),
            tuple(prompt.name for prompt in (await client.list_prompts()).prompts),
        )


def input_schemas(plugins: str = f"{DEFAULT_PLUGINS},finance") -> dict[str, Mapping[str, Any]]:
    """Tool to the JSON Schema of its arguments, of these plugins; the same that ``tools/list`` shows."""
    return {tool.name: tool.input_schema for plugin in _plugins(plugins) for tool in plugin.tools}
