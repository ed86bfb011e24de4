"""What tools take and give (contract §5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, SchemaError

from tzzr_scenarios.conform.mcp.book import BOOK
from tzzr_scenarios.conform.mcp.offered import TOOLS, Offered
from tzzr_scenarios.conform.mcp.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

Json = dict[str, Any]


async def _tools(probe: Probe) -> tuple[list[Json], Answer]:
    return await probe.every("tools/list", "tools")


async def _known(probe: Probe) -> tuple[list[tuple[str, Offered, Json]], Answer]:
    """The specification's tools that are listed, each with its input schema. Raises `NotJudged`: none is."""
    items, answer = await _tools(probe)
    found = [(name, TOOLS[name], schema) for name, schema in _schemas(items) if name in TOOLS]
    if not found:
        raise NotJudged("none of the specification's tools is listed; see names.tools")
    return found, answer


def _schemas(items: list[Json]) -> Iterator[tuple[str, Json]]:
    for item in items:
        if isinstance(item.get("inputSchema"), dict):
            yield str(item.get("name")), item["inputSchema"]


def _property(schema: Json, name: str) -> Json:
    found = (schema.get("properties") or {}).get(name)
    return found if isinstance(found, dict) else {}


@BOOK.rule("schemas.object", "MCP: inputSchema")
async def takes_an_object(probe: Probe) -> None:
    """Every tool has an ``inputSchema`` of type object."""
    items, answer = await _tools(probe)
    for item in items:
        schema = item.get("inputSchema", NOTHING)
        kept = isinstance(schema, dict) and schema.get("type") == "object"
        hold(answer, kept, f"inputSchema of {item.get('name')}", {"type": "object"}, schema)


@BOOK.rule("schemas.valid", "MCP: JSON Schema 2020-12")
async def writes_valid_schemas(probe: Probe) -> None:
    """Every ``inputSchema`` and ``outputSchema`` is a valid JSON Schema of 2020-12."""
    items, answer = await _tools(probe)
    for item in items:
        for name in ("inputSchema", "outputSchema"):
            trouble = _trouble(json.dumps(item.get(name, {})))
            hold(answer, not trouble, f"{name} of {item.get('name')}", "a JSON Schema", trouble)


@cache
def _trouble(schema: str) -> str:
    """What is wrong with a schema; both eras list the same ones, and a check takes its time."""
    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        return error.message[:200]
    return ""


@BOOK.rule("schemas.arguments", "contract §5")
async def takes_the_arguments_of_the_contract(probe: Probe) -> None:
    """Each of the twelve tools takes the arguments of the contract, by their names."""
    known, answer = await _known(probe)
    for name, offered, schema in known:
        came = {*(schema.get("properties") or {})}
        hold(answer, offered.arguments <= came, f"arguments of {name}", sorted(offered.arguments), sorted(came))


@BOOK.rule("schemas.required", "contract §5")
async def requires_what_the_contract_does(probe: Probe) -> None:
    """The arguments without a default are required, and no others are."""
    known, answer = await _known(probe)
    for name, offered, schema in known:
        came = {*(schema.get("required") or ())}
        hold(answer, came == offered.required, f"required of {name}", sorted(offered.required), sorted(map(str, came)))


@BOOK.rule("schemas.defaults", "contract §5")
async def has_the_defaults_of_the_contract(probe: Probe) -> None:
    """Arguments have the defaults of the contract: idioma "es", limite 20 and the like."""
    known, answer = await _known(probe)
    for name, offered, schema in known:
        for argument, default in offered.defaults.items():
            came = _property(schema, argument).get("default", NOTHING)
            hold(answer, came == default, f"default of {name}.{argument}", default, came)


@BOOK.rule("schemas.values", "contract §5")
async def takes_the_values_of_the_contract(probe: Probe) -> None:
    """Arguments with a list of values take those of the contract: modo, formato, algoritmo, biblioteca."""
    known, answer = await _known(probe)
    for name, offered, schema in known:
        for argument, values in offered.allowed.items():
            came = _property(schema, argument).get("enum", NOTHING)
            kept = isinstance(came, list) and {*map(str, came)} == values
            hold(answer, kept, f"enum of {name}.{argument}", sorted(values), came)


@BOOK.rule("schemas.limit", "contract §5: limite")
async def takes_a_limit_within_its_bounds(probe: Probe) -> None:
    """``limite`` of ``buscar_tags`` is 1 to 100."""
    known, answer = await _known(probe)
    for name, _, schema in known:
        if name == "buscar_tags":
            about = _property(schema, "limite")
            came = [about.get("minimum"), about.get("maximum")]
            hold(answer, came == [1, 100], "bounds of buscar_tags.limite", [1, 100], came)


@BOOK.rule("schemas.described", "contract §5")
async def describes_every_argument(probe: Probe) -> None:
    """Every argument of the twelve tools has a ``description``."""
    known, answer = await _known(probe)
    for name, offered, schema in known:
        for argument in sorted(offered.arguments & {*(schema.get("properties") or {})}):
            came = _property(schema, argument).get("description", NOTHING)
            kept = isinstance(came, str) and came not in ("", NOTHING)
            hold(answer, kept, f"description of {name}.{argument}", "a text", came)


@BOOK.rule("schemas.output", "contract §5: structured content")
async def says_what_it_gives(probe: Probe) -> None:
    """Each of the twelve tools has an ``outputSchema`` that requires ``source`` and ``data``."""
    items, answer = await _tools(probe)
    for item in items:
        if item.get("name") in TOOLS:
            schema = item.get("outputSchema")
            required = schema.get("required") if isinstance(schema, dict) else NOTHING
            kept = isinstance(required, list) and {"source", "data"} <= {*required}
            hold(answer, kept, f"required of the outputSchema of {item['name']}", ["source", "data"], required)
