"""How each kind of step is carried out, and what was observed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import jsonpath_rfc9535
from mcp import Client, MCPError, types

from tzzr_mocks.world import World
from tzzr_scenarios import files
from tzzr_scenarios.chat_stage import Chats
from tzzr_scenarios.language.models import (
    AdvanceStep,
    CallStep,
    CancelStep,
    ChatStep,
    CompleteStep,
    HealStep,
    InjectStep,
    ListStep,
    PromptStep,
    ReadStep,
    RestoreStep,
    SnapshotStep,
    Step,
    verb_of,
)
from tzzr_scenarios.language.values import Part
from tzzr_scenarios.observation import Observation, of_text, of_tool
from tzzr_scenarios.spelling import suggestion

PartT = TypeVar("PartT", bound=Part)
_TURNS_OF_THE_LOOP = 50
_ON_THE_WORLD = ("inject", "heal", "advance", "snapshot", "restore")


@dataclass
class Cast:
    """What a step may use: the client, the world, the folder of its file, and what earlier steps saved."""

    client: Client
    world: World
    beside: Path
    saved: dict[str, Any] = field(default_factory=dict)
    chats: Chats | None = None
    snapshots: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def now(self) -> float:
        """Virtual seconds."""
        return self.world.seams.clock.monotonic()

    def note(self, kind: str, step: Step, **details: str) -> None:
        """Put what the client does into the trace."""
        verb = verb_of(step) or "step"
        if verb not in _ON_THE_WORLD:
            self.world.trace.record("client", kind, verb=verb, subject=str(getattr(step, verb)), **details)

    def filled(self, value: Any) -> Any:
        """Arguments with documents and saved values put in."""
        return files.filled(value, self.beside, self.saved)

    def expected(self, part: PartT) -> PartT:
        """What is expected, with documents and saved values put in."""
        said = {name: getattr(part, name) for name in part.model_fields_set}
        update = {name: self._expected(value) for name, value in said.items()}
        return part.model_copy(update=update)

    def _expected(self, value: Any) -> Any:
        if isinstance(value, Part):
            return self.expected(value)
        return tuple(self.filled(value)) if isinstance(value, tuple) else self.filled(value)


async def observe(step: Step, cast: Cast) -> Observation:
    """Carry out one step that talks to the server or changes the world.

    A JSON-RPC error is an observation; any other exception means that the scenario cannot be carried out.
    """
    begun = cast.now()
    cast.note("request", step)
    try:
        seen = await _CARRIED_OUT[type(step)](step, cast)
    except MCPError as error:
        seen = Observation(protocol_error=_protocol_error(error))
    cast.note("answer", step, outcome=seen.outcome)
    return replace(seen, elapsed=cast.now() - begun)


def _protocol_error(error: MCPError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "data": error.data}


async def _call(step: CallStep, cast: Cast) -> Observation:
    told: list[str] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or f"{progress:g}/{total}")

    # The client in memory brings no token of its own, and it is the token that asks for progress.
    asking: Any = {}
    if "progress" in step.expect.model_fields_set:
        asking = {"progress_callback": tell, "meta": {"progressToken": "scenario"}}
    arguments = cast.filled(step.arguments)
    result = await cast.client.call_tool(step.call, arguments, read_timeout_seconds=step.timeout, **asking)
    return of_tool(result, 0.0, told)


async def _chat(step: ChatStep, cast: Cast) -> Observation:
    assert cast.chats is not None  # noqa: S101 - a performance gives them to its cast
    pasted = cast.filled(step.about)
    question = str(cast.filled(step.chat))
    said = await cast.chats.ask(f"{question}\n\n{pasted}" if pasted else question, step.conversation)
    await _settled(cast.world)
    return said.seen


async def _settled(world: World) -> None:
    """Let the model note that its last reply was read to the end: the gateway knows that before the model does."""
    for _ in range(_TURNS_OF_THE_LOOP):
        if all(exchange.reply is not None for exchange in world.journal.of("llm")[-1:]):
            return
        await world.seams.clock.sleep(0)


async def _cancel(step: CancelStep, cast: Cast) -> Observation:
    task = asyncio.ensure_future(cast.client.call_tool(step.cancel, cast.filled(step.arguments)))
    done, _ = await asyncio.wait([task], timeout=step.after)
    if done:
        return of_tool(task.result(), 0.0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return Observation(text="cancelled")


async def _read(step: ReadStep, cast: Cast) -> Observation:
    result = await cast.client.read_resource(cast.filled(step.read))
    return of_text("\n".join(getattr(content, "text", "") for content in result.contents), 0.0)


async def _prompt(step: PromptStep, cast: Cast) -> Observation:
    result = await cast.client.get_prompt(step.prompt, cast.filled(step.arguments))
    return of_text("\n".join(getattr(message.content, "text", "") for message in result.messages), 0.0)


async def _complete(step: CompleteStep, cast: Cast) -> Observation:
    reference: Any = (
        types.ResourceTemplateReference(uri=step.complete)
        if "://" in step.complete
        else types.PromptReference(name=step.complete)
    )
    result = await cast.client.complete(reference, {"name": step.argument, "value": step.value})
    return Observation(values=tuple(result.completion.values))


async def _list(step: ListStep, cast: Cast) -> Observation:
    client = cast.client
    if step.list == "tools":
        names = [tool.name for tool in (await client.list_tools()).tools]
    elif step.list == "resources":
        names = [resource.uri for resource in (await client.list_resources()).resources]
    elif step.list == "templates":
        names = [template.uri_template for template in (await client.list_resource_templates()).resource_templates]
    else:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
    return Observation(values=tuple(str(name) for name in names))


async def _inject(step: InjectStep, cast: Cast) -> Observation:
    cast.world.plan.add(step.inject)
    return Observation()


async def _heal(step: HealStep, cast: Cast) -> Observation:
    healed = cast.world.plan.heal(None if step.heal == "all" else step.heal)
    return Observation(values=tuple(rule.sentence() for rule in healed))


async def _advance(step: AdvanceStep, cast: Cast) -> Observation:
    await cast.world.seams.clock.sleep(step.advance)
    return Observation()


async def _snapshot(step: SnapshotStep, cast: Cast) -> Observation:
    cast.snapshots[step.snapshot] = cast.world.snapshot()
    cast.world.trace.record("world", "snapshot", name=step.snapshot)
    return Observation()


async def _restore(step: RestoreStep, cast: Cast) -> Observation:
    if step.restore not in cast.snapshots:
        hint = suggestion(step.restore, list(cast.snapshots), "kept so far") if cast.snapshots else "snapshot: first"
        raise KeyError(f"restore: no step before kept {step.restore!r}; {hint}")
    cast.world.restore(cast.snapshots[step.restore])
    cast.world.trace.record("world", "restore", name=step.restore)
    return Observation()


_CARRIED_OUT: dict[type[Step], Callable[[Any, Cast], Awaitable[Observation]]] = {
    CallStep: _call,
    ChatStep: _chat,
    CancelStep: _cancel,
    ReadStep: _read,
    PromptStep: _prompt,
    CompleteStep: _complete,
    ListStep: _list,
    InjectStep: _inject,
    HealStep: _heal,
    AdvanceStep: _advance,
    SnapshotStep: _snapshot,
    RestoreStep: _restore,
}


def save(step: Step, seen: Observation, cast: Cast) -> None:
    """Keep values of a result for later steps.

    Raises:
        KeyError: a JSONPath found nothing.
    """
    for name, query in step.save.items():
        whole = {"text": seen.text, "structured": seen.structured, "data": seen.data, "meta": dict(seen.meta)}
        whole["chat"] = dict(seen.chat or {})
        found = jsonpath_rfc9535.find(query, whole).values()
        if not found:
            raise KeyError(f"save: {query} found nothing in the result")
        cast.saved[name] = found[0]
