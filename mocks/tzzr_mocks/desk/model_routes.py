"""The model over HTTP: the script that it follows, and what it was shown."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.desk.answers import ModelTold
from tzzr_mocks.desk.desk import TheWorld
from tzzr_mocks.desk.live import Live
from tzzr_mocks.desk.routes import Routes
from tzzr_mocks.desk.schemas import NewScript

routes = Routes("model")


@routes.get("/model", answers=ModelTold)
async def tell_model(world: TheWorld) -> dict[str, Any]:
    """The rules that the model follows; null: it chooses tools by the words of the question."""
    return _told(world)


@routes.put("/model", answers=ModelTold)
async def follow_script(world: TheWorld, given: NewScript) -> dict[str, Any]:
    """Let the model follow these rules from now on, or choose by itself again."""
    world.llm.follow(given.script)
    return _told(world)


@routes.get("/model/seen", answers=list[str])
async def list_seen(world: TheWorld) -> list[str]:
    """The bodies of the newest requests to the model, uncut, oldest first."""
    return list(world.llm.seen)


def _told(world: Live) -> dict[str, Any]:
    script = world.llm.script
    rules = None if script is None else [rule.model_dump(mode="json", exclude_defaults=True) for rule in script]
    return {"script": rules, "seen": len(world.llm.seen)}
