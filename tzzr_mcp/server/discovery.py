"""Finds plugins, and the offline world, by their entry points."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from tzzr_mcp.plugins.api import Plugin
from tzzr_mcp.seams import Seams
from tzzr_mcp.settings import StartError, did_you_mean, listed, several

PLUGINS = "tzzr_mcp.plugins"
OFFLINE = "tzzr_mcp.offline"


class Offline(Protocol):
    """A world of fakes in this process."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Every variable that the plugins need to reach the fakes."""
        ...

    @property
    def transport(self) -> Any:
        """The httpx transport that leads to them."""
        ...

    @property
    def seams(self) -> Seams:
        """Their time, chance and trace."""
        ...


def installed() -> Mapping[str, EntryPoint]:
    """Every installed plugin's entry point, by name; nothing is imported."""
    return {point.name: point for point in entry_points(group=PLUGINS)}


def discover(names: str | Collection[str]) -> tuple[Plugin, ...]:
    """The plugins of these names (or of a list with commas between), in that order.

    Raises:
        StartError: one is not installed (the nearest name is proposed), cannot be imported, or is no plugin.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    points = installed()
    unknown = [name for name in wanted if name and name not in points]
    if unknown:
        known = f"installed are {listed(sorted(points))}" if points else "none is installed"
        lines = [f"TZZR_PLUGINS names {name!r}, which is no plugin{did_you_mean(name, points)}" for name in unknown]
        raise StartError(f"{several(lines, 'plugins are unknown')}\n  {known[0].upper()}{known[1:]}.")
    chosen = [name for name in wanted if name]
    if not chosen:
        raise StartError(f"TZZR_PLUGINS names no plugin; installed are {listed(sorted(points) or ['none'])}.")
    return tuple(_load(points[name]) for name in dict.fromkeys(chosen))


def _load(point: EntryPoint) -> Plugin:
    try:
        plugin = point.load()
    except (ImportError, AttributeError) as error:
        raise StartError(f"plugin {point.name}: {point.value} cannot be imported ({error}); reinstall it") from error
    if not isinstance(plugin, Plugin):
        raise StartError(
            f"plugin {point.name}: {point.value} is {type(plugin).__name__}, not tzzr_mcp.plugins.api.Plugin"
        )
    return plugin


def open_offline(environ: Mapping[str, str]) -> Offline:
    """The offline world, opened.

    Raises:
        StartError: none is installed, or ``environ`` asks it for what it cannot be.
    """
    points = sorted(entry_points(group=OFFLINE))
    try:
        offline: Offline = points[0].load()(environ)
    except (IndexError, ImportError, AttributeError) as error:
        mend = "the fakes are not installed; install them: pip install 'mcp-server-tzzr[harness]'"
        raise StartError(f"--offline needs the fakes, and {mend}") from error
    except ValueError as error:
        raise StartError(f"the offline world cannot be made: {error}") from error
    return offline


def offline_variables(offline: Offline | None) -> Collection[str]:
    """The environment variables that shape the offline world, as far as there is one that has ``variables``."""
    names: Collection[str] = getattr(offline, "variables", ())
    return names
