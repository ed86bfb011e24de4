"""Worlds over HTTP: making and dropping them, seed and starting world, reset, snapshots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tzzr_mocks.desk.answers import WorldTold, WorldWithEnvironment
from tzzr_mocks.desk.desk import TheDesk, TheWorld, WorldName
from tzzr_mocks.desk.live import there
from tzzr_mocks.desk.routes import Routes
from tzzr_mocks.desk.schemas import NewWorld, SnapshotName, Start
from tzzr_mocks.openapi import link

routes = Routes("worlds")
_LINKS = {"restore_snapshot": link("restore_snapshot", "brings it back", snapshot="$request.body#/name")}


@routes.get("/worlds", answers=list[WorldTold])
async def list_worlds(desk: TheDesk) -> list[dict[str, Any]]:
    """Every world of this server."""
    return [desk.told(name) for name in desk.worlds.names]


@routes.post("/worlds", status_code=201, answers=WorldWithEnvironment)
async def make_world(desk: TheDesk, given: NewWorld) -> dict[str, Any]:
    """Make a world, or make it anew; the answer holds the environment for a server that is to use it."""
    await desk.worlds.create(given.name, given.seed, given.starting, given.faults)
    desk.forget(given.name)
    return {**desk.told(given.name), "environment": desk.worlds.environment(given.name)}


@routes.delete("/worlds/{name}", answers=list[WorldTold])
async def drop_world(desk: TheDesk, name: str) -> list[dict[str, Any]]:
    """Stop and forget a world; the default one is made anew instead."""
    await desk.worlds.drop(name)
    desk.forget(name)
    return await list_worlds(desk)


@routes.get("/world", answers=WorldWithEnvironment)
async def tell_world(desk: TheDesk, name: WorldName) -> dict[str, Any]:
    """The world asked for, and the environment for a server that is to use it."""
    return {**desk.told(name), "environment": desk.worlds.environment(name)}


@routes.get("/openapi/{service}")
async def describe_service(world: TheWorld, service: str) -> Mapping[str, Any]:
    """What one of the fakes answers, as an OpenAPI document."""
    there("service", service, world.fakes)
    return world.fakes[service].openapi()


@routes.post("/reset", answers=WorldTold)
async def reset(desk: TheDesk, name: WorldName, world: TheWorld, start: Start) -> dict[str, Any]:
    """Begin anew: no faults, no journal, fresh fakes; with a seed or a starting world if one is given."""
    if start.seed is None and start.starting is None:
        world.reset()
    else:
        seed = world.seed if start.seed is None else start.seed
        await desk.worlds.create(name, seed, start.starting or world.starting)
    return desk.told(name)


@routes.get("/snapshots", answers=list[str])
async def list_snapshots(desk: TheDesk, name: WorldName) -> list[str]:
    """The names of the world's snapshots."""
    return desk.kept(name)


@routes.post("/snapshots", status_code=201, answers=list[str], links=_LINKS)
async def keep_snapshot(desk: TheDesk, name: WorldName, given: SnapshotName) -> list[str]:
    """Keep plan and state under a name."""
    return desk.keep(name, given.name)


@routes.post("/snapshots/{snapshot}/restore", answers=list[str], operation_id="restore_snapshot")
async def restore_snapshot(desk: TheDesk, name: WorldName, snapshot: str) -> list[str]:
    """Go back to a snapshot."""
    desk.bring_back(name, snapshot)
    return desk.kept(name)
