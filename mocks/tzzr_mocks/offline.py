"""The offline mode of the server: a world in its process, built at the first request that needs it.

Importing this costs no more than the standard library, so that a server that only lists its tools starts at once.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self

from tzzr_mcp.seams import Dice, Seams, SystemClock
from tzzr_mocks.addresses import ENVIRONMENT

if TYPE_CHECKING:
    import httpx

    from tzzr_mocks.world import World

SEED = "TZZR_SEED"
"""The variable that holds the world's seed; without it nobody can foresee its ids."""
FAULTS = "TZZR_FAULTS"
"""The variable that holds fault rules in short form, one a line or with semicolons between."""

NEEDED = ("fastapi", "stdnum", "py3langid", "snowballstemmer", "mutagen", "PIL", "pypdf")
"""What the extra ``[harness]`` brings for the world: looked for at the start, imported at the first request."""


class LazyTransport:
    """An httpx transport in all but ancestry: importing httpx would cost the start of a server that only lists.

    It builds and starts the world at the first request. Several clients share it; closing one of them is nothing.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._starting: asyncio.Task[None] | None = None
        self._world: World | None = None

    def build(self) -> World:
        """The world, built if it is not yet.

        Raises:
            PlanError: a rule of ``TZZR_FAULTS`` could never act.
        """
        if self._world is None:
            world: Any = importlib.import_module("tzzr_mocks.world").World
            rules = self._environ.get(FAULTS, "").replace("\n", ";").split(";")
            faults = [rule for rule in rules if rule.strip()]
            self._world = world(_seed(self._environ), time="real", start=SystemClock().now(), faults=faults)
        return self._world

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request to the fake of its host."""
        world = self.build()
        if self._starting is None:
            self._starting = asyncio.create_task(world.start(), name="start the offline world")
        await asyncio.shield(self._starting)
        return await world.transport.handle_async_request(request)

    async def aclose(self) -> None:
        """Nothing: one client has ended, the world has not."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        """Nothing, as `aclose`."""


def _seed(environ: Mapping[str, str]) -> int:
    given = environ.get(SEED, "").strip()
    return int(given) if given else Dice.from_entropy().integer(0, 2**63)


@dataclass(frozen=True)
class Offline:
    """What the server needs to run on fakes: their addresses and keys, the way to them, clock and chance.

    ``variables`` are those of the environment that shape the world.
    """

    transport: LazyTransport
    seams: Seams
    environment: Mapping[str, str] = field(default_factory=lambda: ENVIRONMENT)
    variables: tuple[str, ...] = (SEED, FAULTS)


def open_offline(environ: Mapping[str, str]) -> Offline:
    """The offline world of a server with this environment. ``TZZR_SEED`` and ``TZZR_FAULTS`` shape it.

    Raises:
        ModuleNotFoundError: the extra ``[harness]`` is not installed: the package brings the fakes, not what they need.
        ValueError: the seed is not a whole number, or a fault rule could never act; the message tells the mend.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ModuleNotFoundError(f"No module named {missing[0]!r}", name=missing[0])
    try:
        seed = _seed(environ)
    except ValueError as error:
        raise ValueError(f"{SEED}={environ[SEED]!r} is not a whole number") from error
    transport = LazyTransport({**environ, SEED: str(seed)})
    if environ.get(FAULTS):
        transport.build()
    return Offline(transport, Seams(dice=Dice(seed).named("server")))
