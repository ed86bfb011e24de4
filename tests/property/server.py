"""The real server on a world, called with what a property draws."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tzzr_mocks.control import Exchange
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import World
from tzzr_scenarios.stage import staged

Call = tuple[str, Mapping[str, Any]]
"""A tool and its arguments."""


@dataclass
class Spoken:
    """What a client heard, call by call, and what the fakes saw of it."""

    world: World
    results: list[Any] = field(default_factory=list)
    reached: list[list[Exchange]] = field(default_factory=list)
    """The exchanges of each call."""

    @property
    def exchanges(self) -> list[Exchange]:
        """All of them."""
        return [exchange for each in self.reached for exchange in each]


def talk(calls: Iterable[Call], *, faults: Sequence[Any] = (), settings: Mapping[str, str] | None = None) -> Spoken:
    """Make the calls one after another, on a world of their own, with these faults in their way."""
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(_talked(list(calls), faults, dict(settings or {})))


async def _talked(calls: list[Call], faults: Sequence[Any], settings: dict[str, str]) -> Spoken:
    async with staged(7, faults=faults, settings=settings) as stage, stage.client() as client:
        spoken = Spoken(stage.world)
        for tool, arguments in calls:
            before = len(stage.world.journal)
            spoken.results.append(await client.call_tool(tool, dict(arguments)))
            spoken.reached.append(list(stage.world.journal)[before:])
        return spoken
