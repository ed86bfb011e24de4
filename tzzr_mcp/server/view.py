"""What plugins may see of the server that they run in: the catalogue, each resource's text, the services' health."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio

from tzzr_mcp.plugins.api import Call, Listed, Plugin, Probe, Ref, Resource, ResourceNotFound, ResourceTemplate
from tzzr_mcp.plugins.api import ServiceStatus as Status
from tzzr_mcp.seams import Clock, Deadline
from tzzr_mcp.seams.spelling import nearest
from tzzr_mcp.server.lifespans import Lifespans
from tzzr_mcp.server.refs import resolve
from tzzr_mcp.server.registry import Owned, Registry

log = logging.getLogger(__name__)

PROBE_S = 2.0
"""Seconds that one service has to tell how it is."""
_PATIENCE_S = 0.5
"""Seconds more before a probe is cut off that did not keep its deadline: one that does knows its service by name."""


@dataclass(frozen=True)
class Found:
    """The resource that answers to a URI, and the template's variables in it."""

    owned: Owned[Resource] | Owned[ResourceTemplate]
    variables: Mapping[str, Any]


class View:
    """The `tzzr_mcp.plugins.api.ServerView` of one server."""

    def __init__(self, registry: Registry, lifespans: Lifespans, clock: Clock) -> None:
        self._registry = registry
        self._lifespans = lifespans
        self._clock = clock

    def resources(self) -> Sequence[Listed]:
        """Every static resource, then every template, in the order of the catalogue."""
        static = [_listed(each.item.uri, each.item, template=False) for each in self._registry.resources.values()]
        families = self._registry.templates.values()
        return [*static, *(_listed(each.item.uri_template, each.item, template=True) for each in families)]

    def find(self, uri: str) -> Found:
        """The resource or template that answers to ``uri``; a static resource comes before any template.

        Raises:
            ResourceNotFound: none does; the message names the nearest.
        """
        if static := self._registry.resources.get(uri):
            return Found(static, {})
        for template, family in self._registry.templates.items():
            variables = template.match(uri)
            if variables is not None:
                return Found(family, variables)
        raise ResourceNotFound(self._not_found(uri))

    async def read(self, uri: str, call: Call[Any]) -> str:
        """The text of one resource, on behalf of ``call``: with its trace id, deadline and way to the client.

        Raises:
            ResourceNotFound: nothing answers to that URI.
        """
        found = self.find(uri)
        clients = await self._lifespans.clients(found.owned.plugin)
        return await resolve(found.owned.item.read)(replace(call, clients=clients, arguments=found.variables))

    async def services(self) -> Sequence[Status]:
        """One row per probe of the enabled plugins, all asked at once; who does not answer in time is unreachable."""
        probes = [(plugin, probe) for plugin in self._registry.plugins for probe in plugin.probes]
        rows: dict[int, Status] = {}

        async def ask(number: int, plugin: Plugin, probe: Ref[Probe]) -> None:
            rows[number] = await self._ask(plugin, probe)

        async with anyio.create_task_group() as group:
            for number, (plugin, probe) in enumerate(probes):
                group.start_soon(ask, number, plugin, probe)
        return [rows[number] for number in range(len(probes))]

    async def _ask(self, plugin: Plugin, probe: Ref[Probe]) -> Status:
        try:
            # Imports and clients come first: on a busy machine they take longer than the answer may.
            ask, clients = resolve(probe), await self._lifespans.clients(plugin)
            with anyio.fail_after(PROBE_S + _PATIENCE_S):
                return await ask(clients, Deadline.after(PROBE_S, self._clock))
        except TimeoutError:
            return _unknown(plugin, f"No respondió en {PROBE_S:g} s.")
        except Exception:
            log.exception("the probe of plugin %s failed", plugin.name)
            return _unknown(plugin, "No se pudo consultar su estado.")

    def _not_found(self, uri: str) -> str:
        known = [each.uri for each in self.resources()]
        near = nearest(uri, known)
        hint = f"; el más parecido es {near}" if near else f"; existen {', '.join(known[:20])}" if known else ""
        return f"No existe el recurso {uri[:300]}{hint}."


def _listed(uri: str, item: Resource | ResourceTemplate, *, template: bool) -> Listed:
    return Listed(uri, item.name, item.title, item.description, item.mime_type, template)


def _unknown(plugin: Plugin, detail: str) -> Status:
    return Status(plugin.name, plugin.name, "", configured=True, reachable=False, detail=detail)
