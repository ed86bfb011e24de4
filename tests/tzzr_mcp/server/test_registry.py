"""What the registry refuses at start, each with plugin, item and mend."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.tzzr_mcp.server.tiny import a_plugin, a_tool, echo, read_self
from tzzr_mcp.plugins.api import Plugin, Prompt, PromptArgument, Resource, ResourceTemplate
from tzzr_mcp.plugins.lowlevel import RawPrompt
from tzzr_mcp.server.registry import Registry
from tzzr_mcp.settings import StartError


def refusal(*plugins: Plugin) -> str:
    with pytest.raises(StartError) as caught:
        Registry(plugins)
    assert caught.value.exit_code == 78
    return str(caught.value)


def mistakes(message: str) -> list[str]:
    """The offences of a refusal that lists several."""
    return [line.removeprefix("  - ") for line in message.splitlines()[1:]]


NAME = "a tool's name is 1 to 64 letters, digits, '_', '.' or '-'; rename it"
SOURCE = 'its output schema lacks "source"; add it to properties and to required, or give data_schema instead'
ONE = "it needs exactly one of data_schema and output_schema"
OBJECT = 'its input schema must have "type": "object"; arguments are always an object'
TYPES = "types are array, boolean, integer, null, number, object, string"
TOOL_MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"source": None}, "it declares no source; give it source=DeclaredSource(name, kind)"),
    ({"name": "eco eco"}, NAME),
    ({"name": "é"}, NAME),
    ({"name": "x" * 65}, NAME),
    ({"description": "  "}, "it has no description; say in Spanish what it does and when to call it"),
    ({"input_schema": {"type": "objekt"}}, f"its input schema is no JSON Schema: #/type is 'objekt'; {TYPES}"),
    ({"input_schema": {"properties": {}}}, OBJECT),
    ({"input_schema": ["no"]}, "its input schema is no JSON Schema: # is list; a schema is an object or a boolean"),
    (
        {"input_schema": {"type": "object", "required": ["a"], "properties": {}, "additionalProperties": False}},
        "its input schema is no JSON Schema: #/required names 'a', which is no property",
    ),
    ({"data_schema": None}, ONE),
    ({"output_schema": {"type": "object"}}, ONE),
    (
        {"data_schema": {"minimum": "3"}},
        "its output schema is no JSON Schema: #/minimum is '3'; it must be a number",
    ),
    ({"data_schema": None, "output_schema": {"type": "object", "properties": {"source": {}}}}, SOURCE),
    ({"data_schema": None, "output_schema": {"type": "object", "required": ["source"]}}, SOURCE),
    ({"run": "nowhere"}, "run: 'nowhere' is no place of a function; write it as 'package.module:name'"),
    (
        {"run": "tzzr_mcp.nowhere:run"},
        "run: 'tzzr_mcp.nowhere:run' names the module tzzr_mcp.nowhere, which does not exist",
    ),
    ({"run": "nowhere.at.all:run"}, "run: 'nowhere.at.all:run' names the module nowhere.at.all, which does not exist"),
    ({"run": 3}, "run: 3 is neither a function nor its place"),
]


@pytest.mark.parametrize(
    ("changes", "told"), TOOL_MISTAKES, ids=[f"{n} {told}" for n, (_, told) in enumerate(TOOL_MISTAKES)]
)
def test_a_tool_that_breaks_a_rule_is_refused_by_name_with_the_mend(changes: dict[str, Any], told: str) -> None:
    message = refusal(a_plugin(a_tool(echo, **changes)))
    assert message == f"plugin tiny, tool {changes.get('name', 'echo')}: {told}"


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
    assert mistakes(message) == [
        "plugin tiny, prompt p: it has no description; say in Spanish what it asks for",
        "plugin tiny, prompt p: its template names {como}, which is no argument; arguments are ['que']",
        "plugin tiny, prompt p: it has a paragraph for 'que', which is no optional argument; those are []",
        "plugin tiny, prompt p: it has a paragraph for 'como', which is no optional argument; those are []",
    ]


@pytest.mark.parametrize("uri", ["tiny://{a", "tiny://{a}{b}", "tiny://{+a}/{+b}"])
def test_a_template_that_cannot_be_matched_is_refused(uri: str) -> None:
    template = ResourceTemplate(uri, "x", "X", "Algo.", read_self)
    assert f"plugin tiny, template {uri}: it is no URI template" in refusal(a_plugin(templates=(template,)))


def test_a_completer_for_no_variable_is_refused() -> None:
    template = ResourceTemplate("tiny://x/{a}/{c}", "x", "X", " ", 3, {"b": "tzzr_mcp.nowhere:c"})  # type: ignore[arg-type]  # wrong on purpose
    place = "'tzzr_mcp.nowhere:c' names the module tzzr_mcp.nowhere, which does not exist"
    assert mistakes(refusal(a_plugin(templates=(template,)))) == [
        f"plugin tiny, template tiny://x/{{a}}/{{c}}: {problem}"
        for problem in (
            "it has no description; say in Spanish what it holds",
            "read: 3 is neither a function nor its place",
            "it completes 'b', which is no variable of it; variables are a, c",
            f"complete['b']: {place}",
        )
    ]


def test_a_resource_needs_a_description_and_a_reader_that_can_be_found() -> None:
    message = refusal(a_plugin(resources=(Resource("x://y", "x", "X", "", "y"),)))
    assert mistakes(message) == [
        "plugin tiny, resource x://y: it has no description; say in Spanish what it holds",
        "plugin tiny, resource x://y: read: 'y' is no place of a function; write it as 'package.module:name'",
    ]


def test_a_raw_prompt_needs_an_answer_that_can_be_found() -> None:
    prompt = RawPrompt("p", "P", "Algo.", "", answer="a:b")
    message = refusal(a_plugin(prompts=(prompt,)))
    assert message == "plugin tiny, prompt p: answer: 'a:b' names the module a, which does not exist"


def test_a_lifespan_and_a_probe_that_cannot_be_found_are_refused() -> None:
    message = refusal(a_plugin(lifespan="a:b", probes=("c:d",)))
    assert mistakes(message) == [
        "plugin tiny, lifespan: lifespan: 'a:b' names the module a, which does not exist",
        "plugin tiny, lifespan: probe: 'c:d' names the module c, which does not exist",
    ]


def test_a_plugin_without_lifespan_is_taken() -> None:
    assert Registry((a_plugin(lifespan=None),)).plugins[0].name == "tiny"


def test_the_catalogue_keeps_the_order_of_plugins_and_declarations() -> None:
    first = a_plugin(a_tool(echo, name="z"), a_tool(echo, name="a"))
    second = a_plugin(a_tool(echo, name="m"), name="second", resources=(), templates=(), prompts=())
    tools = Registry((first, second)).tools
    assert [(name, owned.item.name) for name, owned in tools.items()] == [("z", "z"), ("a", "a"), ("m", "m")]
    assert tools["m"].plugin.name == "second"
