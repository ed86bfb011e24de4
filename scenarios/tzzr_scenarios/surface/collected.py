"""The surface as it is, collected from what is served, declared and published, never written down by hand."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from mcp import Client
from pydantic import BaseModel

from tzzr_mcp import __version__
from tzzr_mcp import cli as server_cli
from tzzr_mcp.checks.environment import EX_CONFIG, is_secret, variables
from tzzr_mcp.contract.catalogue import CONTRACT_VERSION
from tzzr_mcp.contract.errors import RETRYABLE
from tzzr_mcp.contract.schemas import NAMES, load
from tzzr_mcp.gateway.settings import GatewaySettings
from tzzr_mocks.control import KINDS
from tzzr_scenarios import cli
from tzzr_scenarios.conform.grace import BOOK as GRACE
from tzzr_scenarios.conform.mcp import BOOK as MCP
from tzzr_scenarios.language.schema import scenario_schema
from tzzr_scenarios.stage import EVERY_PLUGIN, settings_models, staged

Json = dict[str, Any]


async def surface() -> Json:
    """Everything that others rely on, by the parts of `compared.SURFACE`: the server's with every plugin of ours."""
    async with staged(settings={"TZZR_PLUGINS": EVERY_PLUGIN}) as stage, stage.client() as client:
        served = await _served(client)
    return {
        "version": __version__,
        "contract_version": CONTRACT_VERSION,
        **served,
        "errors": {str(code): {"retryable": again} for code, again in RETRYABLE.items()},
        "contract": {name: load(name) for name in NAMES},
        "settings": _settings(),
        "commands": dict(_commands()),
        "exit_codes": {
            "mcp-server-tzzr: settings": EX_CONFIG,
            "tzzr: passed": cli.PASSED,
            "tzzr: failed": cli.FAILED,
            "tzzr: could not run": cli.COULD_NOT_RUN,
            "tzzr: interrupted": cli.INTERRUPTED,
        },
        "scenarios": scenario_schema(),
        "faults": _faults(),
        "rules": {f"{book.kind} {rule.id}": {"says": rule.says} for book in (GRACE, MCP) for rule in book},
    }


async def _served(client: Client) -> Json:
    tools, prompts = (await client.list_tools()).tools, (await client.list_prompts()).prompts
    resources = (await client.list_resources()).resources
    templates = (await client.list_resource_templates()).resource_templates
    return {
        "tools": {tool.name: _tool(tool) for tool in tools},
        "resources": {str(each.uri): _resource(each) for each in resources},
        "templates": {each.uri_template: _resource(each) for each in templates},
        "prompts": {prompt.name: await _prompt(prompt, client) for prompt in prompts},
    }


def _tool(tool: Any) -> Json:
    annotations = tool.annotations.model_dump(by_alias=True, exclude_none=True) if tool.annotations else {}
    return {
        "title": tool.title,
        "description": tool.description,
        "questions": (tool.meta or {}).get("tzzr/questions", []),
        "annotations": {name: value for name, value in annotations.items() if name.endswith("Hint")},
        "input": tool.input_schema,
        "output": tool.output_schema,
    }


def _resource(each: Any) -> Json:
    return {"name": each.name, "title": each.title, "description": each.description, "mime_type": each.mime_type}


async def _prompt(prompt: Any, client: Client) -> Json:
    """A prompt, and its text with each argument's name in its place: a model acts on it."""
    arguments = prompt.arguments or []
    got = await client.get_prompt(prompt.name, {each.name: f"{{{each.name}}}" for each in arguments})
    return {
        "title": prompt.title,
        "description": prompt.description,
        "text": [message.content.model_dump(exclude_none=True).get("text") for message in got.messages],
        "arguments": {
            each.name: {"description": each.description, "required": bool(each.required)} for each in arguments
        },
    }


def _settings() -> Json:
    """Every environment variable; one that several read has all of them as its readers."""
    found: Json = {}
    models: Mapping[str, type[BaseModel]] = {**settings_models(), "gateway": GatewaySettings}
    for reader, model in models.items():
        for name, setting in _variables(model).items():
            found.setdefault(name, {**setting, "read_by": []})["read_by"].append(reader)
    return found


def _variables(model: type[BaseModel]) -> Json:
    whole = model.model_json_schema(by_alias=True)
    return {
        name: {
            "description": info.description,
            "required": info.is_required(),
            "secret": is_secret(info),
            "schema": {key: value for key, value in whole["properties"][name].items() if key != "description"},
        }
        for name, info in variables(model).items()
    }


def _commands() -> Iterator[tuple[str, Json]]:
    yield from _described("mcp-server-tzzr", server_cli.parser(), "")
    yield from _described("tzzr", cli.parser(cli.COMMANDS), "")


def _described(name: str, parser: argparse.ArgumentParser, about: str) -> Iterator[tuple[str, Json]]:
    """A command and those below it, with the options that each takes."""
    actions = parser._actions  # argparse has no public way to look into a parser
    options = [option for action in actions for option in action.option_strings]
    yield name, {"help": about, "options": sorted(options)}
    for action in actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for below, inner in action.choices.items():
                yield from _described(f"{name} {below}", inner, helps.get(below, ""))


def _faults() -> Mapping[str, Json]:
    return {
        name: {
            "about": inspect.getdoc(kind) or "",
            "services": sorted(kind.services) or ["every"],
            "phrases": list(kind.phrases),
            "fields": {each.name: _default(each) for each in dataclasses.fields(kind)},
        }
        for name, kind in sorted(KINDS.items())
    }


def _default(each: dataclasses.Field[Any]) -> str:
    """A field's type and default, as one text."""
    return f"{each.type}" if each.default is dataclasses.MISSING else f"{each.type} = {each.default!r}"
