"""What a plugin is: declarations that are cheap to import, and functions that are found when they are first needed.

A plugin is one object in the entry-point group ``tzzr_mcp.plugins``. The built-in ones register the same way as a
stranger's. Wherever a function is asked for, its place may be given instead, as ``"package.module:name"``: the server
then imports that module at the first call, so that the start of the process pays only for declarations.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from tzzr_mcp.output import Source, SourceKind, ToolOutput
from tzzr_mcp.seams import Deadline, Seams

C = TypeVar("C")
"""What a plugin's lifespan yields: its clients of the services upstream."""


class PluginSettings(BaseModel):
    """A plugin's settings: one field per environment variable, the variable's name as the field's alias.

    A field without default is required, and only where the plugin is enabled. Secrets are ``SecretStr``. The field's
    description is what ``--help`` and the table in the docs show.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")


class NoSettings(PluginSettings):
    """For a plugin that needs none."""


@dataclass(frozen=True)
class ServiceStatus:
    """One row of ``tzzr://servers/status`` (CONTRACT §5). ``base_url`` is without credentials.

    ``modules`` holds the state of each breaker inside the service that is not closed. ``simulated`` says that a fake
    answered; it is no field of the contract, and goes into the origin of the resource.
    """

    name: str
    kind: str
    base_url: str
    configured: bool
    reachable: bool
    latency_ms: float | None = None
    breaker: str = "closed"
    detail: str | None = None
    modules: Mapping[str, str] = field(default_factory=dict)
    simulated: bool = False


@dataclass(frozen=True)
class Listed:
    """One resource or template as the catalogue shows it; a template's ``uri`` holds its variables in braces."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    template: bool


class ServerView(Protocol):
    """What a plugin may see of the server it runs in: read only."""

    def resources(self) -> Sequence[Listed]:
        """Every static resource and template, in the fixed order of the catalogue."""
        ...

    async def read(self, uri: str, call: Call[Any]) -> str:
        """The text of one resource, on behalf of ``call``.

        Raises:
            ResourceNotFound: nothing answers to that URI.
        """
        ...

    async def services(self) -> Sequence[ServiceStatus]:
        """One row per service of the enabled plugins, asked with a short time-out each; never fails as a whole."""
        ...


class ResourceNotFound(LookupError):
    """No resource has this URI; the message is Spanish and names the nearest one."""


@dataclass(frozen=True)
class Opening(Generic[C]):
    """What a plugin's lifespan is given. ``transport`` is the httpx transport of an offline world, or None.

    All plugins share the transport: closing a client must not end it.
    """

    settings: Any
    seams: Seams
    transport: Any | None = None


Progress = Callable[[str, float, float | None], Awaitable[None]]
"""Tells the client how far a call is: Spanish text, done so far, total if known. Costs nothing when nobody asked."""


@dataclass(frozen=True)
class Call(Generic[C]):
    """One request to a plugin, with everything that it may use.

    ``arguments`` have passed the tool's input schema (a template's are strings); defaults of the schema are not filled
    in. ``remote`` is true when the client is not on this machine (HTTP), where ``archivo`` is off unless switched on.
    ``watched`` is true when the client asked for progress. ``origins`` is where whoever reads a resource on behalf of the
    call notes where its text came from, the last one that of the whole.

    The call is cancelled when the client cancels it, when the server stops, and two seconds after ``deadline``, in
    case the function did not mind it. The cancellation is that of an anyio scope, which repeats until the function is
    left: what must be awaited on the way out (cancelling a job upstream) needs a shielded scope with a limit.
    """

    arguments: Mapping[str, Any]
    clients: C
    trace_id: UUID
    deadline: Deadline
    seams: Seams
    progress: Progress
    server: ServerView
    remote: bool = False
    watched: bool = False
    origins: list[Source] = field(default_factory=list)


F = TypeVar("F")
Ref: TypeAlias = F | str
"""A function, or its place as ``"package.module:name"``."""


@dataclass(frozen=True)
class DeclaredSource:
    """Which source a tool's results will name: what the registry demands of every tool at start."""

    name: str
    kind: SourceKind


@dataclass(frozen=True)
class Tool:
    """A tool: names and schemas as MCP shows them, and the function that runs it.

    ``data_schema`` says what ``structuredContent.data`` is; the server wraps it with `tzzr_mcp.output.output_schema`.
    ``output_schema`` is for a tool that brings the whole schema itself; the registry refuses one without ``source``.

    ``tables`` says whether its results may hold tables: hosts that draw them (MCP Apps) are then told how.

    ``questions`` are examples of what a person may ask, in Spanish, that this tool answers: a chat page offers them to
    begin with. Hosts find them in the tool's ``_meta`` as ``tzzr/questions``.

    ``run`` raises `tzzr_mcp.contract.errors.ContractError` for a failure that the model can act on; whatever else it
    raises is logged, and the user is told a reference to the log.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    run: Ref[Callable[[Call[Any]], Awaitable[ToolOutput]]]
    source: DeclaredSource | None = None
    data_schema: Mapping[str, Any] | None = None
    output_schema: Mapping[str, Any] | None = None
    read_only: bool = True
    idempotent: bool = True
    destructive: bool = False
    open_world: bool = True
    tables: bool = True
    questions: Sequence[str] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


Reader = Callable[[Call[Any]], Awaitable[str]]
"""Gives a resource's text. Raises `ResourceNotFound` for what is not there, a ``ContractError`` for any other failure."""
Completer = Callable[[Call[Any], str], Awaitable[Sequence[str]]]


@dataclass(frozen=True)
class Resource:
    """A static resource; ``read`` returns its text."""

    uri: str
    name: str
    title: str
    description: str
    read: Ref[Reader]
    mime_type: str = "application/json"


@dataclass(frozen=True)
class ResourceTemplate:
    """A family of resources (RFC 6570). ``read`` gets the variables as the call's arguments.

    ``complete`` maps a variable to the function that proposes values for a prefix, best first.
    """

    uri_template: str
    name: str
    title: str
    description: str
    read: Ref[Reader]
    complete: Mapping[str, Ref[Completer]] = field(default_factory=dict)
    mime_type: str = "application/json"


@dataclass(frozen=True)
class PromptArgument:
    """One argument of a prompt; all are strings."""

    name: str
    description: str
    required: bool = False


@dataclass(frozen=True)
class Prompt:
    """A prompt. ``template`` names its arguments as ``{argument}``; ``optional`` is a paragraph per optional argument.

    A paragraph of ``optional`` is appended only when that argument is given.
    """

    name: str
    title: str
    description: str
    template: str
    arguments: Sequence[PromptArgument] = ()
    optional: Mapping[str, str] = field(default_factory=dict)
    role: Literal["user", "assistant"] = "user"


Lifespan = Callable[[Opening[Any]], AbstractAsyncContextManager[Any]]
Probe = Callable[[Any, Deadline], Awaitable[ServiceStatus]]


@dataclass(frozen=True)
class Plugin:
    """Everything one domain brings.

    ``lifespan`` yields the plugin's clients, which every call then gets; it is opened at the first request that needs
    it and closed with the server. ``probes`` are asked with those clients for ``tzzr://servers/status``.
    """

    name: str
    description: str
    settings: type[PluginSettings] = NoSettings
    tools: Sequence[Tool] = ()
    resources: Sequence[Resource] = ()
    templates: Sequence[ResourceTemplate] = ()
    prompts: Sequence[Prompt] = ()
    lifespan: Ref[Lifespan] | None = None
    probes: Sequence[Ref[Probe]] = ()
