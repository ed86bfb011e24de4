"""``tools/list`` and ``tools/call``: arguments checked, one deadline, every end told to the client and to the trace."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from mcp import types as t
from mcp.server.apps import client_supports_apps

from tzzr_mcp.output import output_schema
from tzzr_mcp.plugins.api import Tool
from tzzr_mcp.plugins.lowlevel import RawTool
from tzzr_mcp.server import apps
from tzzr_mcp.server.door import answered
from tzzr_mcp.server.errors import no_such
from tzzr_mcp.server.paging import page
from tzzr_mcp.server.refs import resolve
from tzzr_mcp.server.registry import Owned
from tzzr_mcp.server.results import refusal, sourced, success
from tzzr_mcp.server.runtime import Context, Runtime, Visit

log = logging.getLogger(__name__)

Result = t.CallToolResult | t.InputRequiredResult
Check = Callable[[Mapping[str, Any]], dict[str, Any]]

ARGUMENT_CHECK = "tzzr_mcp.server.arguments:ArgumentCheck"
"""By its place, so that the validator is imported at the first call and not at the start."""


class Tools:
    """The tools of one server."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._wire = [_wire(owned) for owned in runtime.registry.tools.values()]
        self._linked = [
            apps.linked(tool) if apps.drawn(owned) else tool
            for tool, owned in zip(self._wire, runtime.registry.tools.values(), strict=True)
        ]
        self._checks: dict[str, Check] = {}

    async def list(self, ctx: Context, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        """The tools in the order of the catalogue; to a host that draws results, with the page that does it."""
        if client_supports_apps(ctx):
            tools, further = page(self._linked, params, self._runtime.page_size)
            return t.ListToolsResult(tools=tools, next_cursor=further, cache_scope="private")
        tools, further = page(self._wire, params, self._runtime.page_size)
        return t.ListToolsResult(tools=tools, next_cursor=further)

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The input schema of one tool: what the SDK needs of every call over HTTP."""
        owned = self._runtime.registry.tools.get(name)
        return owned.item.input_schema if owned else None

    async def call(self, ctx: Context, params: t.CallToolRequestParams) -> Result:
        """Run one tool.

        Raises:
            MCPError: -32602, there is no tool of that name. Every other failure is a result with ``isError``.
        """
        owned = self._runtime.registry.tools.get(params.name)
        if owned is None:
            raise no_such("la herramienta", params.name, self._runtime.registry.tools)
        visit = self._runtime.begin(ctx)
        visit.record("tool.start", tool=params.name)
        outcome = "CANCELLED"
        try:
            result, outcome = await self._answer(visit, owned, params)
            return result
        finally:
            visit.record("tool.end", tool=params.name, outcome=outcome)
            log.info("%s %s in %d ms, trace %s", params.name, outcome, visit.duration_ms(), visit.trace_id)

    async def _answer(self, visit: Visit, owned: Owned[Tool], params: t.CallToolRequestParams) -> tuple[Result, str]:
        if isinstance(owned.item, RawTool):
            return await answered(visit, owned.item.run, params), "OK"
        try:
            return await self._run(visit, owned, params.arguments or {}), "OK"
        except Exception as error:
            failure = visit.failure_of(error)
            return refusal(failure, visit.trace_id, visit.duration_ms()), str(failure.code)

    async def _run(self, visit: Visit, owned: Owned[Tool], arguments: Mapping[str, Any]) -> t.CallToolResult:
        checked = self._check(owned.item)(arguments)
        deadline = visit.deadline(owned.item.name)

        async def work() -> t.CallToolResult:
            call = await visit.call(owned.plugin, checked, deadline)
            output = sourced(await resolve(owned.item.run)(call))
            return success(output, visit.trace_id, visit.duration_ms())

        return await self._runtime.running.within(deadline, work)

    def _check(self, tool: Tool) -> Check:
        check = self._checks.get(tool.name)
        if check is None:
            compiled: Check = resolve(ARGUMENT_CHECK)(tool.input_schema)
            check = self._checks[tool.name] = compiled
        return check


def _wire(owned: Owned[Tool]) -> t.Tool:
    tool = owned.item
    source = {"name": tool.source.name, "kind": tool.source.kind} if tool.source else {}
    return t.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=_output(tool),
        annotations=t.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            idempotent_hint=tool.idempotent,
            destructive_hint=tool.destructive,
            open_world_hint=tool.open_world,
        ),
        _meta={"tzzr/plugin": owned.plugin.name, "tzzr/source": source, **_questions(tool), **tool.meta},
    )


def _questions(tool: Tool) -> dict[str, Any]:
    return {"tzzr/questions": list(tool.questions)} if tool.questions else {}


def _output(tool: Tool) -> dict[str, Any] | None:
    if isinstance(tool, RawTool):
        return None
    return dict(tool.output_schema or output_schema(tool.data_schema or {}))
