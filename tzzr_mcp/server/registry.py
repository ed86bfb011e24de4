"""Everything that the enabled plugins bring, in one fixed order, checked before the first request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Generic, TypeVar

from mcp.shared.uri_template import UriTemplate

from tzzr_mcp.plugins.api import Plugin, Prompt, Resource, ResourceTemplate, Tool
from tzzr_mcp.server.declarations import plugin_problems
from tzzr_mcp.settings import StartError, several

T = TypeVar("T")
K = TypeVar("K")


@dataclass(frozen=True)
class Owned(Generic[T]):
    """One declaration and the plugin that brought it."""

    plugin: Plugin
    item: T


@dataclass(frozen=True)
class Registry:
    """The catalogue: plugins in the order given, each one's items in the order declared.

    Raises:
        StartError: a declaration breaks a rule; every offence is listed with its mend.
    """

    plugins: tuple[Plugin, ...]

    def __post_init__(self) -> None:
        problems = [problem for plugin in self.plugins for problem in plugin_problems(plugin)]
        problems += [clash for kind, keys in self._keys() for clash in _clashes(kind, keys)]
        if problems:
            raise StartError(several(problems, "declarations of plugins are wrong"))

    def _keys(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Kind by kind, which plugin brings what name."""
        yield "plugin", [(plugin.name, plugin.name) for plugin in self.plugins]
        yield "tool", [(plugin.name, tool.name) for plugin in self.plugins for tool in plugin.tools]
        yield "resource", [(plugin.name, each.uri) for plugin in self.plugins for each in plugin.resources]
        yield "template", [(plugin.name, each.uri_template) for plugin in self.plugins for each in plugin.templates]
        yield "prompt", [(plugin.name, prompt.name) for plugin in self.plugins for prompt in plugin.prompts]

    @cached_property
    def tools(self) -> Mapping[str, Owned[Tool]]:
        """By name."""
        return self._by(lambda plugin: plugin.tools, lambda tool: tool.name)

    @cached_property
    def resources(self) -> Mapping[str, Owned[Resource]]:
        """By URI."""
        return self._by(lambda plugin: plugin.resources, lambda resource: resource.uri)

    @cached_property
    def templates(self) -> Mapping[UriTemplate, Owned[ResourceTemplate]]:
        """By parsed template; the first one that matches a URI answers it."""
        return self._by(lambda plugin: plugin.templates, lambda each: UriTemplate.parse(each.uri_template))

    @cached_property
    def prompts(self) -> Mapping[str, Owned[Prompt]]:
        """By name."""
        return self._by(lambda plugin: plugin.prompts, lambda prompt: prompt.name)

    def _by(self, items: Callable[[Plugin], Sequence[T]], key: Callable[[T], K]) -> Mapping[K, Owned[T]]:
        owned = {key(item): Owned(plugin, item) for plugin in self.plugins for item in items(plugin)}
        return MappingProxyType(owned)


def _clashes(kind: str, keys: Iterable[tuple[str, str]]) -> Iterator[str]:
    first: dict[str, str] = {}
    for plugin, key in keys:
        if key in first:
            yield f"plugin {plugin}, {kind} {key}: the plugin {first[key]} brings one of that name too; rename one"
        first.setdefault(key, plugin)
