"""The clock over HTTP: read, frozen, run, advanced."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.desk.answers import Clock, Refusal
from tzzr_mocks.desk.desk import TheClock, TheWorld
from tzzr_mocks.desk.live import Live
from tzzr_mocks.desk.routes import Routes
from tzzr_mocks.desk.schemas import Advance
from tzzr_mocks.network.steered import moved_by

routes = Routes("clock")
_NOT_NOW: dict[int | str, dict[str, Any]] = {409: {"model": Refusal}}


def _told(world: Live) -> dict[str, Any]:
    now = world.seams.clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    frozen = world.steering is not None and world.steering.frozen
    return {"now": now, "elapsed": round(world.elapsed, 6), "frozen": frozen}


@routes.get("/clock", answers=Clock)
async def read_clock(world: TheWorld) -> dict[str, Any]:
    """What the world's clock shows."""
    return _told(world)


@routes.post("/clock/freeze", answers=Clock, responses=_NOT_NOW)
async def freeze_clock(world: TheWorld, clock: TheClock) -> dict[str, Any]:
    """Stop it: who waits, waits until it is advanced."""
    clock.freeze()
    return _told(world)


@routes.post("/clock/run", answers=Clock, responses=_NOT_NOW)
async def run_clock(world: TheWorld, clock: TheClock) -> dict[str, Any]:
    """Let it run on from where it stands."""
    clock.run()
    return _told(world)


@routes.post("/clock/advance", answers=Clock)
async def advance_clock(world: TheWorld, advance: Advance) -> dict[str, Any]:
    """Move it forward, running or not, and wake who has waited long enough; on virtual time, let it pass."""
    seconds = moved_by(float(advance.seconds))
    if world.steering is not None:
        world.steering.advance(seconds)
    else:
        await world.seams.clock.sleep(seconds)
    return _told(world)
