"""The source contract and the other rules that a plugin's declarations must keep, checked at start (DESIGN).

Each function yields one sentence per offence: plugin, item and mend.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from tzzr_mcp.plugins.api import Plugin, Prompt, Resource, ResourceTemplate, Tool
from tzzr_mcp.plugins.lowlevel import RawPrompt, RawTool
from tzzr_mcp.server.refs import why_unresolvable
from tzzr_mcp.server.schemas import schema_problems

TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
"""An argument's place in a prompt's template. Any other brace is text."""


def plugin_problems(plugin: Plugin) -> Iterator[str]:
    """Everything that is wrong within one plugin."""
    for tool in plugin.tools:
        yield from _of(plugin, "tool", tool.name, _tool(tool))
    for resource in plugin.resources:
        yield from _of(plugin, "resource", resource.uri, _resource(resource))
    for template in plugin.templates:
        yield from _of(plugin, "template", template.uri_template, _template(template))
    for prompt in plugin.prompts:
        yield from _of(plugin, "prompt", prompt.name, _prompt(prompt))
    yield from _of(plugin, "lifespan", "", _lifespan(plugin))


def _of(plugin: Plugin, kind: str, name: str, problems: Iterator[str]) -> Iterator[str]:
    subject = f"plugin {plugin.name}, {kind} {name}".rstrip()
    return (f"{subject}: {problem}" for problem in problems)


def _tool(tool: Tool) -> Iterator[str]:
    if not TOOL_NAME.fullmatch(tool.name):
        yield "a tool's name is 1 to 64 letters, digits, '_', '.' or '-'; rename it"
    if not tool.description.strip():
        yield "it has no description; say in Spanish what it does and when to call it"
    if tool.source is None and not isinstance(tool, RawTool):
        yield "it declares no source; give it source=DeclaredSource(name, kind)"
    yield from _input(tool.input_schema)
    if not isinstance(tool, RawTool):
        yield from _output(tool)
    yield from _function("run", tool.run)


def _input(schema: Mapping[str, Any]) -> Iterator[str]:
    problems = [f"its input schema is no JSON Schema: {problem}" for problem in schema_problems(schema)]
    yield from problems
    if not problems and schema.get("type") != "object":
        yield 'its input schema must have "type": "object"; arguments are always an object'


def _output(tool: Tool) -> Iterator[str]:
    if (tool.data_schema is None) == (tool.output_schema is None):
        yield "it needs exactly one of data_schema and output_schema"
        return
    schema = tool.data_schema if tool.output_schema is None else tool.output_schema
    problems = [f"its output schema is no JSON Schema: {problem}" for problem in schema_problems(schema)]
    yield from problems
    if tool.output_schema is not None and not problems and not _names_source(tool.output_schema):
        yield 'its output schema lacks "source"; add it to properties and to required, or give data_schema instead'


def _names_source(schema: Mapping[str, Any]) -> bool:
    return "source" in schema.get("properties", ()) and "source" in schema.get("required", ())


def _resource(resource: Resource) -> Iterator[str]:
    if not resource.description.strip():
        yield "it has no description; say in Spanish what it holds"
    yield from _function("read", resource.read)


def _template(template: ResourceTemplate) -> Iterator[str]:
    if not template.description.strip():
        yield "it has no description; say in Spanish what it holds"
    yield from _function("read", template.read)
    try:
        known = UriTemplate.parse(template.uri_template).variable_names
    except InvalidUriTemplate as error:
        yield f"it is no URI template that can be matched (RFC 6570): {error}"
        return
    for variable, completer in template.complete.items():
        if variable not in known:
            yield f"it completes {variable!r}, which is no variable of it; variables are {', '.join(known)}"
        yield from _function(f"complete[{variable!r}]", completer)


def _prompt(prompt: Prompt) -> Iterator[str]:
    if not prompt.description.strip():
        yield "it has no description; say in Spanish what it asks for"
    if isinstance(prompt, RawPrompt):
        yield from _function("answer", prompt.answer)
    declared = [argument.name for argument in prompt.arguments]
    optional = {argument.name for argument in prompt.arguments if not argument.required}
    for text in (prompt.template, *prompt.optional.values()):
        for name in PLACEHOLDER.findall(text):
            if name not in declared:
                yield f"its template names {{{name}}}, which is no argument; arguments are {declared}"
    for name in prompt.optional:
        if name not in optional:
            yield f"it has a paragraph for {name!r}, which is no optional argument; those are {sorted(optional)}"


def _lifespan(plugin: Plugin) -> Iterator[str]:
    if plugin.lifespan is not None:
        yield from _function("lifespan", plugin.lifespan)
    for probe in plugin.probes:
        yield from _function("probe", probe)


def _function(field: str, ref: object) -> Iterator[str]:
    if why := why_unresolvable(ref):
        yield f"{field}: {why}"
