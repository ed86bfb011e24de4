"""What the registry refuses at start, each with plugin, item and mend."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.tzzr_mcp.server.tiny import a_plugin, a_tool, echo, read_self
from tzzr_mcp.plugins.api import Plugin, Prompt, PromptArgument, Resource, ResourceTemplate
from tzzr_mcp.server.registry import Registry
from tzzr_mcp.settings import StartError


def refusal(*plugins: Plugin) -> str:
    with pytest.raises(StartError) as caught:
        Registry(plugins)
    assert caught.value.exit_code == 78
    return str(caught.value)


TOOL_MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"source": None}, "declares no source; give it source=DeclaredSource"),
    ({"name": "eco eco"}, "1 to 64 letters"),
    ({"name": "é"}, "1 to 64 letters"),
    ({"name": "x" * 65}, "1 to 64 letters"),
    ({"description": "  "}, "no description"),
    ({"input_schema": {"type": "objekt"}}, "input schema is no JSON Schema: #/type is 'objekt'"),
    ({"input_schema": {"properties": {}}}, '"type": "object"'),
    ({"input_schema": ["no"]}, "# is list; a schema is an object or a boolean"),
    ({"input_schema": {"type": "object", "required": ["a"], "properties": {}, "additionalProperties": False}}, "'a'"),
    ({"data_schema": None}, "exactly one of data_schema and output_schema"),
    ({"output_schema": {"type": "object"}}, "exactly one of data_schema and output_schema"),
    ({"data_schema": {"minimum": "3"}}, "output schema is no JSON Schema: #/minimum is '3'"),
    ({"data_schema": None, "output_schema": {"type": "object", "properties": {"source": {}}}}, 'lacks "source"'),
    ({"data_schema": None, "output_schema": {"type": "object", "required": ["source"]}}, 'lacks "source"'),
    ({"run": "nowhere"}, "write it as 'package.module:name'"),
    ({"run": "tzzr_mcp.nowhere:run"}, "module tzzr_mcp.nowhere, which does not exist"),
    ({"run": "nowhere.at.all:run"}, "module nowhere.at.all, which does not exist"),
    ({"run": 3}, "neither a function nor its place"),
]


@pytest.mark.parametrize(
    ("changes", "told"), TOOL_MISTAKES, ids=[f"{n} {told}" for n, (_, told) in enumerate(TOOL_MISTAKES)]
)
def test_a_tool_that_breaks_a_rule_is_refused_by_name(changes: dict[str, Any], told: str) -> None:
    message = refusal(a_plugin(a_tool(echo, **changes)))
    assert f"plugin tiny, tool {changes.get('name', 'echo')}: " in message
    assert told in message


def test_a_whole_output_schema_with_source_is_taken() -> None:
    schema = {"type": "object", "properties": {"source": {"type": "object"}}, "required": ["source"]}
    registry = Registry((a_plugin(a_tool(echo, data_schema=None, output_schema=schema)),))
    assert list(registry.tools) == ["echo"]


def test_two_tools_of_one_name_are_refused_whoever_brings_them() -> None:
    other = a_plugin(name="other", resources=(), templates=(), prompts=())
    assert "plugin other, tool echo: the plugin tiny brings one of that name too; rename one" in refusal(
        a_plugin(), other
    )


def test_names_of_every_kind_must_differ_and_all_clashes_are_told_at_once() -> None:
    message = refusal(a_plugin(), replace(a_plugin(), name="tiny"))
    assert message.startswith("5 declarations of plugins are wrong:\n  - ")
    for kind in ("plugin tiny", "tool echo", "resource tiny://self", "template tiny://name/{name}", "prompt saluda"):
        assert f"plugin tiny, {kind}: " in message


def test_a_prompt_whose_template_names_an_undeclared_argument_is_refused() -> None:
    prompt = Prompt("p", "P", "Algo.", "Di {que} y {quien}", (PromptArgument("que", "Qué."),))
    assert "plugin tiny, prompt p: its template names {quien}, which is no argument; arguments are ['que']" in refusal(
        a_plugin(prompts=(prompt,))
    )


def test_a_prompt_with_a_paragraph_for_what_is_not_optional_is_refused() -> None:
    argument = PromptArgument("que", "Qué.", required=True)
    prompt = Prompt("p", "P", "", "Di {que}", (argument,), {"que": "x", "como": "{como}"})
    message = refusal(a_plugin(prompts=(prompt,)))
    assert "paragraph for 'que', which is no optional argument" in message
    assert "template names {como}" in message
    assert "no description" in message


@pytest.mark.parametrize("uri", ["tiny://{a", "tiny://{a}{b}", "tiny://{+a}/{+b}"])
def test_a_template_that_cannot_be_matched_is_refused(uri: str) -> None:
    template = ResourceTemplate(uri, "x", "X", "Algo.", read_self)
    assert f"plugin tiny, template {uri}: it is no URI template" in refusal(a_plugin(templates=(template,)))


def test_a_completer_for_no_variable_is_refused() -> None:
    template = ResourceTemplate("tiny://x/{a}", "x", "X", " ", read_self, {"b": "tzzr_mcp.nowhere:c"})
    message = refusal(a_plugin(templates=(template,)))
    assert "completes 'b', which is no variable of it; variables are a" in message
    assert "module tzzr_mcp.nowhere" in message
    assert "no description" in message


def test_a_resource_needs_a_description_and_a_reader_that_can_be_found() -> None:
    message = refusal(a_plugin(resources=(Resource("x://y", "x", "X", "", "y"),)))
    assert "plugin tiny, resource x://y: it has no description" in message
    assert "read: 'y' is no place of a function" in message


def test_a_lifespan_and_a_probe_that_cannot_be_found_are_refused() -> None:
    message = refusal(a_plugin(lifespan="a:b", probes=("c:d",)))
    assert "plugin tiny, lifespan: lifespan: 'a:b' names the module a, which does not exist" in message
    assert "probe: 'c:d'" in message


def test_a_plugin_without_lifespan_is_taken() -> None:
    assert Registry((a_plugin(lifespan=None),)).plugins[0].name == "tiny"


def test_the_catalogue_keeps_the_order_of_plugins_and_declarations() -> None:
    first = a_plugin(a_tool(echo, name="z"), a_tool(echo, name="a"))
    second = a_plugin(a_tool(echo, name="m"), name="second", resources=(), templates=(), prompts=())
    assert list(Registry((first, second)).tools) == ["z", "a", "m"]
    assert Registry((first, second)).tools["m"].plugin.name == "second"
