"""Worlds over HTTP: making and dropping them, seed and starting world, reset, snapshots."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request

from tzzr_mocks.served.desk import Desk
from tzzr_mocks.served.schemas import NewWorld, SnapshotName, Start


def add_world_routes(app: FastAPI, desk: Desk) -> None:
    """Add them to the application."""
    _add_life(app, desk)
    _add_snapshots(app, desk)


def _add_life(app: FastAPI, desk: Desk) -> None:
    @app.get("/worlds", tags=["worlds"])
    async def list_worlds() -> list[dict[str, Any]]:
        """Every world of this server."""
        return [_told(desk, name) for name in desk.worlds.names]

    @app.post("/worlds", tags=["worlds"], status_code=201)
    async def make_world(given: NewWorld) -> dict[str, Any]:
        """Make a world, or make it anew; the answer holds the environment for a server that is to use it."""
        await desk.worlds.create(given.name, given.seed, given.starting, given.faults)
        desk.forget(given.name)
        return {**_told(desk, given.name), "environment": desk.worlds.environment(given.name)}

    @app.delete("/worlds/{name}", tags=["worlds"])
    async def drop_world(name: str) -> list[dict[str, Any]]:
        """Stop and forget a world; the default one is made anew instead."""
        await desk.worlds.drop(name)
        desk.forget(name)
        return [_told(desk, other) for other in desk.worlds.names]

    @app.get("/world", tags=["worlds"])
    async def tell_world(request: Request) -> dict[str, Any]:
        """The world asked for, and the environment for a server that is to use it."""
        name = desk.name_of(request)
        return {**_told(desk, name), "environment": desk.worlds.environment(name)}

    @app.post("/reset", tags=["worlds"])
    async def reset(request: Request, start: Start) -> dict[str, Any]:
        """Begin anew: no faults, no journal, fresh fakes; with a seed or a starting world if one is given."""
        name, world = desk.name_of(request), desk.world(request)
        if start.seed is None and start.starting is None:
            world.reset()
        else:
            seed = world.seed if start.seed is None else start.seed
            await desk.worlds.create(name, seed, start.starting or world.starting)
        return _told(desk, name)


def _add_snapshots(app: FastAPI, desk: Desk) -> None:
    @app.get("/snapshots", tags=["snapshots"])
    async def list_snapshots(request: Request) -> list[str]:
        """The names of the world's snapshots."""
        return desk.kept(request)

    @app.post("/snapshots", tags=["snapshots"], status_code=201)
    async def keep_snapshot(request: Request, given: SnapshotName) -> list[str]:
        """Keep plan and state under a name."""
        desk.keep(request, given.name)
        return desk.kept(request)

    @app.post("/snapshots/{name}/restore", tags=["snapshots"])
    async def restore_snapshot(request: Request, name: str) -> list[str]:
        """Go back to a snapshot."""
        desk.bring_back(request, name)
        return desk.kept(request)


def _told(desk: Desk, name: str) -> dict[str, Any]:
    world = desk.worlds.named(name)
    return {
        "name": name, "seed": world.seed, "starting": world.starting, "elapsed": round(world.elapsed, 6),
        "exchanges": len(world.journal), "faults": len(world.plan.rules),
    }  # fmt: skip
