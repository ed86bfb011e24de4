"""The clock over HTTP: read, frozen, run, advanced."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from tzzr_mocks.network.steered import SteeredClock
from tzzr_mocks.served.desk import TheClock, TheWorld
from tzzr_mocks.served.schemas import Advance
from tzzr_mocks.world import World

router = APIRouter(tags=["clock"])


def _told(world: World, clock: SteeredClock) -> dict[str, Any]:
    now = clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"now": now, "elapsed": round(world.elapsed, 6), "frozen": clock.frozen}


@router.get("/clock")
async def read_clock(world: TheWorld, clock: TheClock) -> dict[str, Any]:
    """What the world's clock shows."""
    return _told(world, clock)


@router.post("/clock/freeze")
async def freeze_clock(world: TheWorld, clock: TheClock) -> dict[str, Any]:
    """Stop it: who waits, waits until it is advanced."""
    clock.freeze()
    return _told(world, clock)


@router.post("/clock/run")
async def run_clock(world: TheWorld, clock: TheClock) -> dict[str, Any]:
    """Let it run on from where it stands."""
    clock.run()
    return _told(world, clock)


@router.post("/clock/advance")
async def advance_clock(world: TheWorld, clock: TheClock, advance: Advance) -> dict[str, Any]:
    """Move it forward, running or not, and wake who has waited long enough."""
    clock.advance(float(advance.seconds))
    return _told(world, clock)
