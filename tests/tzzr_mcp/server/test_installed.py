"""Every installed plugin keeps the rules, by the specification's own check and not only by the quick one of the start."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from tzzr_mcp.output import output_schema
from tzzr_mcp.plugins.api import Plugin
from tzzr_mcp.server import discover, installed
from tzzr_mcp.server.refs import resolve
from tzzr_mcp.server.registry import Registry

every_plugin = pytest.mark.parametrize("plugin", discover(installed()), ids=lambda plugin: str(plugin.name))


@every_plugin
def test_its_declarations_are_accepted_and_its_schemas_are_json_schema(plugin: Plugin) -> None:
    tools = {name: owned.item for name, owned in Registry((plugin,)).tools.items()}
    specification = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert len(tools) == len(plugin.tools)
    for tool in tools.values():
        for schema in (tool.input_schema, tool.output_schema or output_schema(tool.data_schema or {})):
            assert [error.message for error in specification.iter_errors(schema)] == [], tool.name


@every_plugin
def test_everything_that_it_gives_by_its_place_is_there(plugin: Plugin) -> None:
    readers = [*(each.read for each in plugin.resources), *(each.read for each in plugin.templates)]
    completers = [each for template in plugin.templates for each in template.complete.values()]
    places = [*(tool.run for tool in plugin.tools), *readers, *completers, *plugin.probes, plugin.lifespan]
    assert all(callable(resolve(place)) for place in places if place is not None)
