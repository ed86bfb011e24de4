"""What ``--list-plugins`` and ``--settings`` print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic.fields import FieldInfo

from tzzr_mcp.plugins.api import Plugin, PluginSettings
from tzzr_mcp.server.discovery import discover, installed
from tzzr_mcp.settings import CoreSettings, is_secret, peek, variables


def plugins_table(environ: Mapping[str, str]) -> str:
    """One row per installed plugin."""
    enabled = _enabled(environ)
    rows: list[tuple[str, ...]] = [("PLUGIN", "", "BRINGS", "DESCRIPTION")]
    for plugin in _plugins():
        state = "enabled" if plugin.name in enabled else "off"
        rows.append((plugin.name, state, _brings(plugin), plugin.description))
    return _aligned(rows)


def settings_table(environ: Mapping[str, str]) -> str:
    """One row per environment variable; the value of a secret is not shown."""
    enabled = _enabled(environ)
    rows: list[tuple[str, ...]] = [("VARIABLE", "PLUGIN", "NOW", "DEFAULT", "DESCRIPTION")]
    rows += _settings("", CoreSettings, environ)
    for plugin in _plugins():
        state = plugin.name if plugin.name in enabled else f"{plugin.name} (off)"
        rows += _settings(state, plugin.settings, environ)
    return _aligned(rows)


def _enabled(environ: Mapping[str, str]) -> list[str]:
    return [name.strip() for name in str(peek(environ, "TZZR_PLUGINS")).split(",")]


def _plugins() -> Sequence[Plugin]:
    return discover(installed())


def _brings(plugin: Plugin) -> str:
    counts = (
        ("tool", len(plugin.tools)),
        ("resource", len(plugin.resources) + len(plugin.templates)),
        ("prompt", len(plugin.prompts)),
    )
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts if count)


def _settings(owner: str, model: type[PluginSettings], environ: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    for variable, info in variables(model).items():
        default = "required" if info.is_required() else _shown(info, info.default)
        yield variable, owner, _now(info, environ.get(variable, "")), default, info.description or ""


def _now(info: FieldInfo, value: str) -> str:
    if not value.strip():
        return "not set"
    return "set" if is_secret(info) else value


def _shown(info: FieldInfo, default: object) -> str:
    return "-" if default is None or is_secret(info) else str(default)


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
