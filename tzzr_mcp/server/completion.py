"""``completion/complete``: proposals for a template's variable while somebody types."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence

from mcp import types as t

from tzzr_mcp.plugins.api import Completer, Plugin, Ref
from tzzr_mcp.server.errors import invalid_params, no_such, or_nearest
from tzzr_mcp.server.refs import resolve
from tzzr_mcp.server.runtime import Context, Runtime, Visit

log = logging.getLogger(__name__)

MOST = 100
"""Values in one answer, by the protocol."""


class Completion:
    """The proposals of one server."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def complete(self, ctx: Context, params: t.CompleteRequestParams) -> t.CompleteResult:
        """Values that begin like what was typed, best first.

        A service that cannot be asked gives no proposals: nobody wants an error while typing.

        Raises:
            MCPError: -32602, there is no such template, prompt, variable or argument.
        """
        found = self._completer(params)
        values: Sequence[str] = ()
        if found is not None:
            visit = self._runtime.begin(ctx)
            context = (params.context.arguments if params.context else None) or {}
            values = await self._values(visit, found, context, params.argument.value)
        return t.CompleteResult(
            completion=t.Completion(values=list(values[:MOST]), total=len(values), has_more=len(values) > MOST)
        )

    async def _values(
        self, visit: Visit, found: tuple[Plugin, Ref[Completer]], context: Mapping[str, str], prefix: str
    ) -> Sequence[str]:
        plugin, completer = found

        async def work() -> Sequence[str]:
            call = await visit.call(plugin, context, deadline)
            return await resolve(completer)(call, prefix)

        try:
            deadline = visit.deadline()
            return await self._runtime.running.within(deadline, work)
        except Exception as error:
            log.warning("no proposals: %s", visit.failure_of(error).message)
            return ()

    def _completer(self, params: t.CompleteRequestParams) -> tuple[Plugin, Ref[Completer]] | None:
        name = params.argument.name
        if isinstance(params.ref, t.PromptReference):
            self._check_prompt(params.ref.name, name)
            return None
        for template, owned in self._runtime.registry.templates.items():
            if owned.item.uri_template == params.ref.uri:
                _check_name(name, template.variable_names)
                completer = owned.item.complete.get(name)
                return (owned.plugin, completer) if completer is not None else None
        known = [owned.item.uri_template for owned in self._runtime.registry.templates.values()]
        raise no_such("la plantilla de recurso", str(params.ref.uri), known)

    def _check_prompt(self, prompt: str, argument: str) -> None:
        owned = self._runtime.registry.prompts.get(prompt)
        if owned is None:
            raise no_such("la plantilla", prompt, self._runtime.registry.prompts)
        _check_name(argument, [each.name for each in owned.item.arguments])


def _check_name(name: str, known: Iterable[str]) -> None:
    names = list(known)
    if name not in names:
        raise invalid_params(f"No existe el argumento «{name[:80]}»{or_nearest(name, names)}", argument=name[:200])
