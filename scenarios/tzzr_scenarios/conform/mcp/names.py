"""What the server offers, by name (specification §3 to §5)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

from tzzr_scenarios.conform.mcp.book import BOOK
from tzzr_scenarios.conform.mcp.offered import PROMPTS, RESOURCES, TEMPLATES, TOOLS
from tzzr_scenarios.conform.mcp.probe import NOTHING, Probe
from tzzr_scenarios.conform.rule import hold

_NAME: Final = re.compile(r"[A-Za-z0-9_./-]{1,64}")
LISTS: Final = (
    ("tools/list", "tools", "name"),
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ("prompts/list", "prompts", "name"),
)
"""Method, member of its result, and what names an item."""


async def _there(probe: Probe, method: str, member: str, key: str, wanted: Collection[str]) -> None:
    items, answer = await probe.every(method, member)
    came = {item.get(key) for item in items}
    missing = [name for name in wanted if name not in came]
    hold(answer, not missing, f"result.{member}[].{key}", sorted(wanted), f"without {', '.join(missing)}")


@BOOK.rule("names.tools", "specification §3.1, contract §5")
async def has_the_twelve_tools(probe: Probe) -> None:
    """The twelve tools of the specification are listed; there may be more."""
    await _there(probe, *LISTS[0], TOOLS)


@BOOK.rule("names.resources", "specification §4.1")
async def has_the_five_resources(probe: Probe) -> None:
    """The five resources of the specification are listed; there may be more."""
    await _there(probe, *LISTS[1], RESOURCES)


@BOOK.rule("names.templates", "specification §4.2")
async def has_the_two_templates(probe: Probe) -> None:
    """The two resource templates of the specification are listed; there may be more."""
    await _there(probe, *LISTS[2], TEMPLATES)


@BOOK.rule("names.prompts", "specification §5")
async def has_the_three_prompts(probe: Probe) -> None:
    """The three prompts of the specification are listed; there may be more."""
    await _there(probe, *LISTS[3], PROMPTS)


@BOOK.rule("names.form", "MCP: tool names")
async def names_tools_so_that_clients_take_them(probe: Probe) -> None:
    """Tool names are 1 to 64 letters, digits, ``_``, ``.``, ``/`` and ``-``."""
    items, answer = await probe.every("tools/list", "tools")
    for item in items:
        came = item.get("name", NOTHING)
        hold(answer, isinstance(came, str) and bool(_NAME.fullmatch(came)), "result.tools[].name", _NAME.pattern, came)


@BOOK.rule("names.once", "MCP: lists")
async def names_everything_once(probe: Probe) -> None:
    """No tool, resource, template or prompt is listed twice."""
    for method, member, key in LISTS:
        items, answer = await probe.every(method, member)
        came: list[Any] = [item.get(key) for item in items]
        twice = sorted({str(name) for name in came if came.count(name) > 1})
        hold(answer, not twice, f"result.{member}[].{key}", "each once", f"{', '.join(twice)} again")


@BOOK.rule("names.described", "MCP: lists")
async def describes_everything(probe: Probe) -> None:
    """Every tool, resource, template and prompt has a ``description``: a model chooses by it."""
    for method, member, key in LISTS:
        items, answer = await probe.every(method, member)
        for item in items:
            came = item.get("description", NOTHING)
            kept = isinstance(came, str) and came != NOTHING and bool(came.strip())
            hold(answer, kept, f"description of {item.get(key)}", "a text", came)


@BOOK.rule("names.named", "MCP: resources")
async def names_resources(probe: Probe) -> None:
    """Every resource and template has a ``name`` beside its address."""
    for method, member, key in LISTS[1:3]:
        items, answer = await probe.every(method, member)
        for item in items:
            came = item.get("name", NOTHING)
            kept = isinstance(came, str) and came not in (NOTHING, "")
            hold(answer, kept, f"name of {item.get(key)}", "a text", came)
