"""Settings from the environment: the core's own, and those of each enabled plugin (CONTRACT §6, seed §6.1).

One field is one environment variable, whose name is the field's alias. An empty variable counts as not set. All
mistakes are told at once, and a secret's value never.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator

from tzzr_mcp.checks.environment import (
    EX_CONFIG,
    Reading,
    StartError,
    did_you_mean,
    is_secret,
    listed,
    several,
    unknown_variables,
    variables,
    words,
)
from tzzr_mcp.http_settings import HttpSettings
from tzzr_mcp.plugins.api import Plugin, PluginSettings

__all__ = [
    "DEFAULT_PLUGINS",
    "EX_CONFIG",
    "PROGRAM",
    "CoreSettings",
    "Settings",
    "StartError",
    "did_you_mean",
    "is_secret",
    "listed",
    "load_settings",
    "peek",
    "several",
    "unknown_variables",
    "variables",
]

PROGRAM = "mcp-server-tzzr"
DEFAULT_PLUGINS = "system,grace,hst,context"


class CoreSettings(HttpSettings):
    """What the core itself reads from the environment."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", alias="LOG_LEVEL", description="how much is logged on stderr"
    )
    log_format: Literal["text", "json"] = Field(
        "text", alias="TZZR_LOG_FORMAT", description="log lines as text, or one JSON object a line"
    )
    plugins: str = Field(
        DEFAULT_PLUGINS, alias="TZZR_PLUGINS", description="the enabled plugins, in the order of the catalogue"
    )
    offline: bool = Field(
        False, alias="TZZR_OFFLINE", description="serve from the built-in fakes, with no key and no network"
    )
    call_timeout_s: float = Field(
        50.0,
        alias="TZZR_CALL_TIMEOUT_S",
        ge=0.1,
        le=3600,
        allow_inf_nan=False,
        description="seconds that one tool call may take; common clients give up at 60",
    )
    tool_timeouts: str = Field(
        "",
        alias="TZZR_TOOL_TIMEOUTS",
        description="seconds that single tools may take instead, as in ocr=120,transcribir=120",
    )
    max_calls: int = Field(
        256, alias="TZZR_MAX_CALLS", ge=1, le=100_000, description="requests in flight before the answer is BUSY"
    )

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @field_validator("tool_timeouts")
    @classmethod
    def _timeouts(cls, value: str) -> str:
        for part in words(value):
            _seconds(part)
        return value

    def timeouts(self) -> dict[str, float]:
        """Seconds by tool, for the tools that have a limit of their own."""
        return dict(_seconds(part) for part in words(self.tool_timeouts))

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value


def _seconds(part: str) -> tuple[str, float]:
    """``ocr=120`` as its parts."""
    tool, _, number = part.partition("=")
    try:
        seconds = float(number)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3600:
        raise ValueError(f"{part[:40]!r} should be a tool, = and 0.1 to 3600 seconds, as in ocr=120")
    return tool.strip(), seconds


@dataclass(frozen=True)
class Settings:
    """The core's settings and each enabled plugin's, by the plugin's name."""

    core: CoreSettings
    plugins: Mapping[str, PluginSettings]

    def secrets(self) -> frozenset[str]:
        """The values that no log line may hold."""
        models: Iterable[PluginSettings] = (self.core, *self.plugins.values())
        values = (value for model in models for value in dict(model).values())
        return frozenset(value.get_secret_value() for value in values if isinstance(value, SecretStr))


def peek(environ: Mapping[str, str], variable: str) -> Any:
    """One core setting before all are read; its default when it is wrong, because `load_settings` will tell."""
    given = environ.get(variable, "").strip()
    try:
        core = CoreSettings.model_validate({variable: given} if given else {})
    except ValidationError:
        core = CoreSettings.model_validate({})
    return core.model_dump(by_alias=True)[variable]


def load_settings(plugins: Sequence[Plugin], environ: Mapping[str, str]) -> Settings:
    """Read every setting of the core and of ``plugins``.

    Raises:
        StartError: something is missing or wrong; the message lists all of it, and never shows a secret.
    """
    reading = Reading(environ)
    core = reading.read("", CoreSettings)
    each = {plugin.name: reading.read(plugin.name, plugin.settings) for plugin in plugins}
    if core is not None:
        reading.wrong += _unknown_tools(core, [tool.name for plugin in plugins for tool in plugin.tools])
    _refuse(reading)
    assert core is not None  # noqa: S101 - _refuse() raised otherwise
    return Settings(core, {name: model for name, model in each.items() if model is not None})


def _refuse(reading: Reading) -> None:
    problems = [*reading.wrong, *_missing_line(reading.missing)]
    if problems:
        raise StartError(several(problems, "settings are wrong") + _mend(len(reading.missing)))


def _unknown_tools(core: CoreSettings, known: Sequence[str]) -> Iterator[str]:
    for name in core.timeouts():
        if name not in known:
            hint = did_you_mean(name, known)
            yield f"TZZR_TOOL_TIMEOUTS names {name[:40]!r}, no tool of the enabled plugins{hint}"


def _missing_line(missing: Mapping[str, Sequence[str]]) -> list[str]:
    if not missing:
        return []
    names, owners = list(missing), list(dict.fromkeys(o for each in missing.values() for o in each))
    verb = "is" if len(names) == 1 else "are"
    plugins = "plugin" if len(owners) == 1 else "plugins"
    return [f"{listed(names)} {verb} not set (needed by the {plugins} {listed(owners)})."]


def _mend(missing: int) -> str:
    if not missing:
        return f"\n  All settings: {PROGRAM} --settings"
    return f"\n  Set {'it' if missing == 1 else 'them'}, or run offline: {PROGRAM} --offline"
