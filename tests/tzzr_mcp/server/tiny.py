"""A tiny plugin that the core's tests are run with: an echo, and tools that go wrong in each way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, cast

from mcp import Client
from mcp.types import CallToolResult, RequestParamsMeta, TextContent
from pydantic import Field, SecretStr

from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.output import Source, ToolOutput
from tzzr_mcp.plugins.api import (
    Call,
    DeclaredSource,
    Opening,
    Plugin,
    PluginSettings,
    Prompt,
    PromptArgument,
    Resource,
    ResourceNotFound,
    ResourceTemplate,
    ServiceStatus,
    Tool,
)
from tzzr_mcp.seams import Deadline, Dice, LoopClock, Seams, Trace
from tzzr_mcp.server import TzzrServer, build_server

Run = Callable[[Call[Any]], Awaitable[Any]] | str


@dataclass
class Clients:
    """What the tiny plugin's lifespan yields: a record of its own life."""

    opened: int = 0
    closed: int = 0
    seen: list[Call[Any]] = field(default_factory=list)


class TinySettings(PluginSettings):
    """One secret, one option."""

    key: SecretStr = Field(alias="TINY_KEY", description="the key")
    size: int = Field(3, alias="TINY_SIZE", ge=1, le=9, description="the size")


def output(call: Call[Any], text: str, **more: Any) -> ToolOutput:
    """A result with everything that the contract asks for."""
    source = Source("tiny", "computation", call.seams.clock.now())
    return ToolOutput(text, {"said": text}, source, **more)


def a_tool(run: Run, /, **changes: Any) -> Tool:
    """A right tool, but for ``changes``."""
    tool = Tool(
        name="echo",
        title="Eco",
        description="Repite el texto.",
        input_schema={
            "type": "object",
            "properties": {
                "texto": {"type": "string", "minLength": 1, "description": "Lo que se repite."},
                "veces": {"type": "integer", "minimum": 1, "maximum": 5},
            },
            "required": ["texto"],
            "additionalProperties": False,
        },
        run=run,
        source=DeclaredSource("tiny", "computation"),
        data_schema={"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]},
    )
    return replace(tool, **changes)


async def echo(call: Call[Any]) -> ToolOutput:
    """Says the text as often as asked."""
    call.clients.seen.append(call)
    return output(call, call.arguments["texto"] * call.arguments.get("veces", 1), meta={"invented": True})


async def wait(call: Call[Any]) -> ToolOutput:
    """Tells its progress, and waits for ``texto`` seconds."""
    await call.progress("esperando", 1, 2)
    await call.seams.clock.sleep(float(call.arguments["texto"]))
    return output(call, "hecho")


async def refuse(call: Call[Any]) -> ToolOutput:
    """Fails as the contract says."""
    raise ContractError(Failure.of(Code.RATE_LIMITED, "El servicio está ocupado. Espere un minuto.", retry_after_s=60))


async def crash(call: Call[Any]) -> ToolOutput:
    """Fails as nobody foresaw."""
    raise RuntimeError("the password is swordfish")


async def sourceless(call: Call[Any]) -> Any:
    """Breaks the source contract at run time."""
    return {"text": "sin fuente"}


async def read_self(call: Call[Any]) -> str:
    """The resource's text: what it was asked for."""
    if call.arguments.get("name") == "ghost":
        raise ResourceNotFound("No existe el nombre ghost.")
    if call.arguments.get("name") == "crash":
        raise RuntimeError("swordfish")
    return f"name={call.arguments.get('name')}"


async def complete_name(call: Call[Any], prefix: str) -> Sequence[str]:
    """Many names that begin like ``prefix``."""
    if prefix == "crash":
        raise RuntimeError("swordfish")
    return [f"{prefix}{number}" for number in range(150)]


async def probe(clients: Any, deadline: Deadline) -> ServiceStatus:
    """The tiny service is well."""
    return ServiceStatus("tiny", "local", "http://tiny", configured=True, reachable=True)


def lifespan_of(clients: Clients) -> Callable[[Opening[Any]], Any]:
    """A lifespan that counts how often it was opened and closed."""

    @asynccontextmanager
    async def lifespan(opening: Opening[Any]) -> AsyncIterator[Clients]:
        clients.opened += 1
        try:
            yield clients
        finally:
            clients.closed += 1

    return lifespan


def a_plugin(*tools: Tool, **changes: Any) -> Plugin:
    """A right plugin of ``tools`` (the echo when there are none), but for ``changes``."""
    plugin = Plugin(
        name="tiny",
        description="Pruebas.",
        settings=TinySettings,
        tools=tools or (a_tool(echo),),
        resources=(Resource("tiny://self", "self", "Sí mismo", "Se describe.", read_self, "text/plain"),),
        templates=(
            ResourceTemplate(
                "tiny://name/{name}", "name", "Nombre", "Un nombre.", read_self, {"name": complete_name}, "text/plain"
            ),
        ),
        prompts=(
            Prompt(
                "saluda",
                "Saluda",
                "Saluda a alguien.",
                'Saluda a {quien}. Literal: {"json": 1} {}',
                (PromptArgument("quien", "A quién.", required=True), PromptArgument("tono", "Cómo.")),
                {"tono": "Con tono {tono}."},
            ),
        ),
        lifespan=lifespan_of(Clients()),
        probes=(probe,),
    )
    return replace(plugin, **changes)


ENVIRON = {"TINY_KEY": "swordfish"}

Era = Literal["auto", "legacy"]
"""How the SDK's client is told to connect: at 2026-07-28, or by the handshake of 2025-11-25."""
ERAS: tuple[Era, Era] = ("auto", "legacy")


def a_server(*tools: Tool, seams: Seams | None = None, environ: Mapping[str, str] = ENVIRON, **more: Any) -> TzzrServer:
    """A server of the tiny plugin with these tools, on virtual time from a fixed instant."""
    start = datetime(2026, 1, 4, 10, 0, tzinfo=UTC)
    world = seams or Seams(LoopClock(start), Dice(7), Trace())
    return build_server([more.pop("plugin", None) or a_plugin(*tools)], environ, seams=world, **more)


@asynccontextmanager
async def talking(era: Era, *tools: Tool, **more: Any) -> AsyncIterator[tuple[Client, TzzrServer]]:
    """A client of such a server, in process."""
    async with a_server(*tools, **more) as server, Client(server.mcp, mode=era, cache=None) as client:
        yield client, server


def text_of(result: CallToolResult) -> str:
    """The one text block of a result."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def a_timeout(milliseconds: Any) -> RequestParamsMeta:
    """A request's ``_meta`` that asks for an answer within this time."""
    return cast("RequestParamsMeta", {"tzzr/timeoutMs": milliseconds})


def meta_of(result: CallToolResult) -> dict[str, Any]:
    """What the server added."""
    return {name: value for name, value in (result.meta or {}).items() if name.startswith("tzzr/")}
