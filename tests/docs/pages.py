"""The reference pages, made from what they document."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from tzzr_mcp.plugins.api import Plugin, PluginSettings
from tzzr_mcp.server import discover
from tzzr_mcp.settings import DEFAULT_PLUGINS, CoreSettings
from tzzr_mocks import world as _world  # noqa: F401 - registers every fault kind
from tzzr_mocks.control import KINDS, Fault
from tzzr_mocks.llm.script import Rule, When
from tzzr_scenarios.language.models import (
    VERBS,
    After,
    CaseFile,
    Expect,
    Given,
    LaidFile,
    Scenario,
    Seen,
    Step,
)
from tzzr_scenarios.matchers import OPERATORS

_MADE = "<!-- made from the code: pytest tests/docs --update-golden -->\n"


def settings_page() -> str:
    """Every environment variable, with who reads it."""
    lines = [_MADE, "# Settings", "", "All settings are environment variables. An empty one counts as not set.", ""]
    lines += ["| variable | read by | default | what it is |", "|---|---|---|---|"]
    lines += _settings("the core", CoreSettings)
    for plugin in plugins():
        lines += _settings(f"plugin {plugin.name}", plugin.settings)
    return "\n".join([*lines, ""])


def plugins() -> tuple[Plugin, ...]:
    """The plugins of the default server, and `finance`."""
    return discover(f"{DEFAULT_PLUGINS},finance")


def _settings(who: str, model: type[PluginSettings]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        default = "**required**" if field.is_required() else _default(field.default)
        yield f"| `{field.alias or name}` | {who} | {default} | {field.description or ''} |"


def _default(value: Any) -> str:
    return (
        ""
        if value in (None, "", PydanticUndefined)
        else f"`{str(value).lower() if isinstance(value, bool) else value}`"
    )


def tools_page() -> str:
    """Every tool with its arguments, every resource and prompt."""
    lines = [_MADE, "# Tools, resources and prompts", ""]
    for plugin in plugins():
        lines += [f"## Plugin `{plugin.name}`", "", plugin.description, ""]
        for tool in plugin.tools:
            lines += [f"### `{tool.name}`: {tool.title}", "", tool.description, "", *_arguments(tool.input_schema), ""]
        listed = [(each.uri, each.title, each.description) for each in plugin.resources]
        listed += [(each.uri_template, each.title, each.description) for each in plugin.templates]
        lines += [f"- `{uri}`: {title}. {what}" for uri, title, what in listed]
        lines += [f"- prompt `{each.name}`: {each.title}. {each.description}" for each in plugin.prompts]
        lines.append("")
    return "\n".join(lines)


def _arguments(schema: Any) -> Iterator[str]:
    required = schema.get("required", ())
    for name, about in schema.get("properties", {}).items():
        told = [
            *(["required"] if name in required else []),
            *([f"default `{about['default']}`"] if "default" in about else []),
        ]
        allowed = f" One of {', '.join(f'`{each}`' for each in about['enum'])}." if "enum" in about else ""
        marks = f" ({', '.join(told)})" if told else ""
        yield f"- `{name}`{marks}: {about.get('description', '')}{allowed}"


def faults_index() -> str:
    """The list of fault kinds, one page each."""
    lines = [_MADE, "# Faults", "", "One fault, one file, one page. In a scenario: `given.faults` or `inject`.", ""]
    by_point: dict[str, list[type[Fault]]] = {}
    for kind in sorted(KINDS.values(), key=lambda each: each.kind):
        by_point.setdefault(str(kind.point), []).append(kind)
    for point, kinds in by_point.items():
        lines += [f"## {point}", ""]
        lines += [f"- [`{kind.kind}`](faults/{kind.kind}.md): {_first_line(kind)}" for kind in kinds]
        lines.append("")
    return "\n".join(lines)


def _first_line(kind: type[Fault]) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def fault_page(kind: type[Fault]) -> str:
    """One fault: its docstring, where it acts, its attributes."""
    services = ", ".join(sorted(kind.services)) or "every service"
    lines = [_MADE, f"# `{kind.kind}`", "", inspect.getdoc(kind) or "", ""]
    lines += [f"Acts at: {kind.point}. Services: {services}."]
    if kind.phrases:
        lines += ["", f"Short forms: {', '.join(f'`… {phrase}`' for phrase in kind.phrases)}."]
    return "\n".join([*lines, ""])


def scenarios_page() -> str:
    """The scenario language on one page."""
    lines = [_MADE, "# The scenario language", "", inspect.getdoc(Scenario) or "", "", *_fields(Scenario), ""]
    lines += ["## `cases`", "", "A list of rows, or a file:", "", *_fields(CaseFile), ""]
    lines += ["## `given`", "", *_fields(Given), "", "### `files`", "", inspect.getdoc(LaidFile) or "", ""]
    lines += [*_fields(LaidFile), "", "### `model`", "", "A list of rules, each with:", "", *_fields(Rule), ""]
    lines += ["#### `when`", "", inspect.getdoc(When) or "", "", *_fields(When), ""]
    lines += ["## Steps", "", "Every step may also say:", "", *_fields(Step), ""]
    for verb, model in VERBS.items():
        own = [name for name in model.model_fields if name not in Step.model_fields]
        lines += [f"### `{verb}`", "", inspect.getdoc(model) or "", "", *_fields(model, own), ""]
    lines += ["## `expect`", "", inspect.getdoc(Expect) or "", "", *_fields(Expect), ""]
    lines += ["## `upstream`", "", inspect.getdoc(Seen) or "", "", *_fields(Seen), ""]
    lines += ["## `after`", "", inspect.getdoc(After) or "", "", *_fields(After), "", "## Operators", ""]
    lines += [
        f"- `{name}`: {(inspect.getdoc(build) or '').partition(chr(10))[0]}"
        for name, build in sorted(OPERATORS.items())
    ]
    return "\n".join([*lines, ""])


def _fields(model: type[BaseModel], names: list[str] | None = None) -> Iterator[str]:
    for name, field in model.model_fields.items():
        if names is None or name in names:
            needed = " (required)" if field.is_required() else ""
            yield f"- `{field.alias or name}`{needed}: {field.description or ''}".rstrip(": ")
