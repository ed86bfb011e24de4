"""The same seed gives the same trace, byte for byte: over runs, processes and hash seeds, with faults of both planes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import World

ROOT = Path(__file__).resolve().parents[2]
FAULTS = [
    "context: calls take 2s 50% of the time",
    "context: calls fail with 503 20% of the time",
    "context: calls are reset 10% of the time",
    "context: latency seconds=1 jitter=3 for /health",
]


async def _traffic(some: World) -> None:
    """Twenty callers at once, each with a time-out and a pause of its own dice."""
    async with httpx.AsyncClient(transport=some.transport, timeout=1.5) as client:

        async def caller(number: int) -> None:
            dice = some.seams.dice.named(f"caller {number}")
            for _ in range(2):
                path = dice.choice(["/health", "/v1/agents/alfred/context", "/v1/agents/nadie/context"])
                try:
                    reply = await client.get(f"http://{HOSTS['context']}{path}")
                    some.trace.record("client", "answer", number=number, status=reply.status_code)
                except httpx.TransportError as error:
                    some.trace.record("client", "failure", number=number, error=type(error).__name__)
                await some.seams.clock.sleep(dice.uniform(0, 2))

        await asyncio.gather(*(caller(number) for number in range(20)))


def digest_of(seed: int) -> str:
    """The trace's digest of one world with traffic and faults."""

    async def live() -> str:
        async with World(seed, faults=FAULTS) as some:
            await _traffic(some)
        assert {event.kind for event in some.trace} >= {"fault", "exchange", "answer", "failure"}
        return some.trace.digest()

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(live())


@pytest.mark.slow
def test_fifty_runs_of_one_seed_give_one_trace() -> None:
    assert len({digest_of(7) for _ in range(50)}) == 1


def test_another_seed_gives_another_trace() -> None:
    assert digest_of(7) != digest_of(8)


@pytest.mark.parametrize("hash_seed", [*(pytest.param(seed, marks=pytest.mark.slow) for seed in ("0", "1")), "random"])
def test_another_process_gives_the_same_trace_whatever_its_hash_seed(hash_seed: str) -> None:
    path = os.pathsep.join([str(ROOT), str(ROOT / "mocks")])
    environ = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    program = "from tests.tzzr_mocks.test_determinism import digest_of; print(digest_of(7))"
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == digest_of(7)
