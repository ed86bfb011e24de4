"""What every request handler shares, and one request as the core sees it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from mcp.server.context import ServerRequestContext
from opentelemetry.trace import get_current_span

from tzzr_mcp.contract.errors import ArgumentInvalid, Code, ContractError, Failure, shown
from tzzr_mcp.plugins.api import Call, Plugin, Progress
from tzzr_mcp.seams import Deadline, Dice, Seams
from tzzr_mcp.server.changes import Changes
from tzzr_mcp.server.lifespans import Lifespans
from tzzr_mcp.server.registry import Registry
from tzzr_mcp.server.running import Running
from tzzr_mcp.server.view import View

log = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]

TIMEOUT_META = "tzzr/timeoutMs"
"""In a request's ``_meta``: milliseconds that it may take. It shortens the server's own limit, never lengthens it."""


@dataclass(frozen=True)
class Timeouts:
    """Seconds that a request may take: a tool's own limit where ``tools`` has one, else ``default_s``."""

    default_s: float
    tools: Mapping[str, float] = field(default_factory=dict)

    def of(self, tool: str | None) -> float:
        """The limit of a call of ``tool``, or of any other request."""
        return self.default_s if tool is None else self.tools.get(tool, self.default_s)


@dataclass(frozen=True)
class Runtime:
    """One server's parts. ``ids`` are the dice that trace ids are drawn from."""

    registry: Registry
    seams: Seams
    lifespans: Lifespans
    running: Running
    view: View
    timeouts: Timeouts
    ids: Dice
    page_size: int
    changes: Changes

    def begin(self, ctx: Context) -> Visit:
        """Take up a request: draw its trace id, note when it came, tell the SDK's OpenTelemetry span which it is."""
        trace_id = self.ids.uuid4()
        get_current_span().set_attribute("tzzr.trace_id", str(trace_id))
        return Visit(self, ctx, trace_id, self.seams.clock.monotonic())


@dataclass(frozen=True)
class Visit:
    """One MCP request that a plugin answers."""

    runtime: Runtime
    ctx: Context
    trace_id: UUID
    started: float

    def deadline(self, tool: str | None = None) -> Deadline:
        """When the request, a call of ``tool`` or any other, must be answered.

        Raises:
            ArgumentInvalid: the ``_meta`` asks for a time that is no number of milliseconds.
        """
        asked = (self.ctx.meta or {}).get(TIMEOUT_META)
        limit = self.runtime.timeouts.of(tool)
        seconds = limit if asked is None else min(limit, _milliseconds(asked) / 1000)
        return Deadline(self.started + seconds, self.runtime.seams.clock)

    async def call(self, plugin: Plugin, arguments: Mapping[str, Any], deadline: Deadline) -> Call[Any]:
        """What the plugin's function is given; opens the plugin's clients when nobody needed them before."""
        return Call(
            arguments=arguments,
            clients=await self.runtime.lifespans.clients(plugin),
            trace_id=self.trace_id,
            deadline=deadline,
            seams=self.runtime.seams,
            progress=self._progress(),
            server=self.runtime.view,
            remote=self.ctx.request is not None,
            watched=(self.ctx.meta or {}).get("progress_token") is not None,
        )

    def duration_ms(self) -> int:
        """Since the request came."""
        return round((self.runtime.seams.clock.monotonic() - self.started) * 1000)

    def record(self, kind: str, **details: Any) -> None:
        """Put an event of this request into the trace."""
        self.runtime.seams.trace.record("server", kind, trace_id=str(self.trace_id), **details)

    def failure_of(self, error: Exception) -> Failure:
        """What a user is told of ``error``: its own words when they are the contract's, else a reference to the log."""
        cause = error
        while isinstance(cause, ExceptionGroup) and len(cause.exceptions) == 1:
            cause = cause.exceptions[0]
        if isinstance(cause, ContractError):
            return cause.failure
        log.error("request %s failed unexpectedly", self.trace_id, exc_info=error)
        text = (
            f"El servidor no pudo terminar por un error interno. Si se repite, comunique la referencia {self.trace_id}."
        )
        return Failure.of(Code.INTERNAL, text)

    def _progress(self) -> Progress:
        async def tell(text: str, done: float, total: float | None) -> None:
            try:
                await self.ctx.session.report_progress(done, total, text)
            except Exception:
                log.debug("progress of %s was not delivered", self.trace_id, exc_info=True)

        return tell


def _milliseconds(asked: object) -> float:
    if isinstance(asked, bool) or not isinstance(asked, int | float) or not 0 < asked < float("inf"):
        text = f"El valor de _meta «{TIMEOUT_META}» es {shown(asked)}, pero se espera un número de milisegundos mayor que cero."
        raise ArgumentInvalid(TIMEOUT_META, text)
    return float(asked)
