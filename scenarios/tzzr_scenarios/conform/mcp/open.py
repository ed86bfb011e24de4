"""Opens a probe in each era: over HTTP both share an address, over stdio each era has a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from tzzr_scenarios.conform.judge import verdicts
from tzzr_scenarios.conform.mcp.probe import Probe
from tzzr_scenarios.conform.mcp.wire import Unreachable, Wire
from tzzr_scenarios.conform.rule import Rule
from tzzr_scenarios.conform.verdict import Verdict

ERAS = ("2025-11-25", "2026-07-28")
Reach = Callable[[], AbstractAsyncContextManager[Wire]]
"""Makes a connection."""


@asynccontextmanager
async def probed(reach: Reach, era: str) -> AsyncIterator[Probe]:
    """A probe in one era, the server greeted.

    Raises:
        Unreachable: nobody is there.
    """
    async with reach() as wire:
        probe = Probe(wire, era)
        await probe.open()
        if probe.greeting is not None and probe.greeting.heard.status in (401, 403):
            raise Unreachable(f"the server answers {probe.greeting.heard.status}: does it want another --token?")
        yield probe


async def in_eras(reach: Reach, rules: Sequence[Rule[Probe]], eras: Sequence[str]) -> AsyncIterator[Verdict]:
    """The verdicts in each era, one after another; a rule that holds in one alone is judged there alone.

    Raises:
        Unreachable: nobody is there, or whoever is there speaks none of the eras.
    """
    held: list[Verdict] = []
    spoken, hint = False, ""
    for era in eras:
        async with probed(reach, era) as probe:
            spoken = spoken or probe.spoken
            hint = "; is --url the whole address, with /mcp?" if probe.wire.kind == "http" else ""
            async for verdict in verdicts(probe, rules, where=era):
                held.append(verdict)
                while spoken and held:
                    yield held.pop(0)
    if not spoken:
        raise Unreachable(f"it does not speak MCP of {' or '.join(eras)}{hint}")
