"""``prompts/list`` and ``prompts/get``."""

from __future__ import annotations

from collections.abc import Mapping

from mcp import types as t

from tzzr_mcp.plugins.api import Prompt
from tzzr_mcp.plugins.lowlevel import RawPrompt
from tzzr_mcp.server.declarations import PLACEHOLDER
from tzzr_mcp.server.door import answered
from tzzr_mcp.server.errors import invalid_params, no_such, or_nearest
from tzzr_mcp.server.paging import page
from tzzr_mcp.server.registry import Owned
from tzzr_mcp.server.runtime import Context, Runtime

Result = t.GetPromptResult | t.InputRequiredResult


class Prompts:
    """The prompts of one server."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._wire = [_wire(owned) for owned in runtime.registry.prompts.values()]

    async def list(self, ctx: Context, params: t.PaginatedRequestParams | None) -> t.ListPromptsResult:
        """The prompts in the order of the catalogue."""
        prompts, further = page(self._wire, params, self._runtime.page_size)
        return t.ListPromptsResult(prompts=prompts, next_cursor=further)

    async def get(self, ctx: Context, params: t.GetPromptRequestParams) -> Result:
        """One prompt with its arguments filled in.

        Raises:
            MCPError: -32602, there is no such prompt, an argument is unknown, or a required one is missing or blank.
        """
        owned = self._runtime.registry.prompts.get(params.name)
        if owned is None:
            raise no_such("la plantilla", params.name, self._runtime.registry.prompts)
        prompt = owned.item
        given = {name: value for name, value in (params.arguments or {}).items() if value.strip()}
        _refuse(prompt, params.arguments or {}, given)
        if isinstance(prompt, RawPrompt):
            raw: Result = await answered(self._runtime.begin(ctx), prompt.answer, params)
            return raw
        message = t.PromptMessage(role=prompt.role, content=t.TextContent(text=rendered(prompt, given)))
        return t.GetPromptResult(description=prompt.description, messages=[message])


def rendered(prompt: Prompt, given: Mapping[str, str]) -> str:
    """The template, and a paragraph for each optional argument given; what an argument holds is never read again."""
    paragraphs = [prompt.template, *(text for name, text in prompt.optional.items() if name in given)]
    return "\n\n".join(PLACEHOLDER.sub(lambda place: given.get(place[1], ""), text) for text in paragraphs)


def _refuse(prompt: Prompt, sent: Mapping[str, str], given: Mapping[str, str]) -> None:
    known = [argument.name for argument in prompt.arguments]
    for name in sent:
        if name not in known:
            text = f"La plantilla «{prompt.name}» no tiene el argumento «{name[:80]}»{or_nearest(name, known)}"
            raise invalid_params(text, argument=name[:200])
    for argument in prompt.arguments:
        if argument.required and argument.name not in given:
            lacks = "le llega vacío" if argument.name in sent else "le falta"
            text = f"A la plantilla «{prompt.name}» {lacks} el argumento obligatorio «{argument.name}»: {argument.description}"
            raise invalid_params(text, argument=argument.name)


def _wire(owned: Owned[Prompt]) -> t.Prompt:
    prompt = owned.item
    arguments = [
        t.PromptArgument(name=each.name, description=each.description, required=each.required)
        for each in prompt.arguments
    ]
    return t.Prompt(name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments)
