"""Settings from the environment: the core's own, and those of each enabled plugin (CONTRACT §6, seed §6.1).

One field is one environment variable, whose name is the field's alias. An empty variable counts as not set. All
mistakes are told at once, and a secret's value never.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo

from tzzr_mcp.http_settings import HttpSettings, words
from tzzr_mcp.plugins.api import Plugin, PluginSettings

PROGRAM = "mcp-server-tzzr"
EX_CONFIG = 78
"""sysexits.h: something was found in an unconfigured or misconfigured state."""

DEFAULT_PLUGINS = "system,grace,hst,context"


class StartError(Exception):
    """The process cannot start; the message says what is wrong, and on its further lines what to do. Exit code 78."""

    exit_code = EX_CONFIG


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
    mistakes = _Mistakes()
    core = mistakes.read("", CoreSettings, environ)
    each = {plugin.name: mistakes.read(plugin.name, plugin.settings, environ) for plugin in plugins}
    if isinstance(core, CoreSettings):
        mistakes.unknown_tools(core, [tool.name for plugin in plugins for tool in plugin.tools])
    mistakes.refuse()
    assert isinstance(core, CoreSettings)  # noqa: S101 - refuse() raised otherwise
    return Settings(core, {name: model for name, model in each.items() if model is not None})


def variables(model: type[PluginSettings]) -> dict[str, FieldInfo]:
    """The environment variables that ``model`` reads, by name."""
    return {info.alias or name: info for name, info in model.model_fields.items()}


def unknown_variables(environ: Mapping[str, str], known: Collection[str]) -> list[str]:
    """One sentence for each ``TZZR_`` variable that nobody reads, with the nearest name that somebody does."""
    strange = sorted(name for name in environ if name.startswith("TZZR_") and name not in known)
    return [f"{name} is set, but is no setting of this server{did_you_mean(name, known)}" for name in strange]


def did_you_mean(name: str, known: Collection[str]) -> str:
    """``; did you mean X?`` when something known is near, otherwise nothing."""
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


class _Mistakes:
    """What is missing and what is wrong, collected over all models so that it is told at once."""

    def __init__(self) -> None:
        self._missing: dict[str, list[str]] = {}
        self._wrong: list[str] = []

    def read(self, owner: str, model: type[PluginSettings], environ: Mapping[str, str]) -> PluginSettings | None:
        given = {name: environ[name] for name in variables(model) if environ.get(name, "").strip()}
        try:
            return model.model_validate(given)
        except ValidationError as error:
            for detail in error.errors(include_url=False, include_context=False):
                self._note(owner, model, detail)
            return None

    def unknown_tools(self, core: CoreSettings, known: Sequence[str]) -> None:
        for name in core.timeouts():
            if name not in known:
                hint = did_you_mean(name, known)
                self._wrong.append(f"TZZR_TOOL_TIMEOUTS names {name[:40]!r}, no tool of the enabled plugins{hint}")

    def _note(self, owner: str, model: type[PluginSettings], detail: Any) -> None:
        name = str(detail["loc"][0]) if detail["loc"] else owner
        if detail["type"] == "missing":
            self._missing.setdefault(name, []).append(owner)
            return
        reason = str(detail["msg"]).removeprefix("Value error, ")
        shown = "" if is_secret(variables(model).get(name)) else f" is {str(detail['input'])[:80]!r}"
        self._wrong.append(f"{name}{shown}: {reason[:1].lower()}{reason[1:]}")

    def refuse(self) -> None:
        problems = [*self._wrong, *self._missing_line()]
        if problems:
            raise StartError(several(problems, "settings are wrong") + self._mend())

    def _missing_line(self) -> list[str]:
        if not self._missing:
            return []
        names, owners = list(self._missing), list(dict.fromkeys(o for each in self._missing.values() for o in each))
        verb = "is" if len(names) == 1 else "are"
        plugins = "plugin" if len(owners) == 1 else "plugins"
        return [f"{listed(names)} {verb} not set (needed by the {plugins} {listed(owners)})."]

    def _mend(self) -> str:
        if not self._missing:
            return f"\n  All settings: {PROGRAM} --settings"
        return f"\n  Set {'it' if len(self._missing) == 1 else 'them'}, or run offline: {PROGRAM} --offline"


def is_secret(info: FieldInfo | None) -> bool:
    """Whether a setting's value may be shown nowhere; of an unknown setting too."""
    return info is None or "Secret" in str(info.annotation)


def listed(names: Sequence[str]) -> str:
    """``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def several(problems: Sequence[str], what: str) -> str:
    """One problem as it is; more below a line that counts them."""
    if len(problems) == 1:
        return problems[0]
    return "\n  - ".join([f"{len(problems)} {what}:", *problems])
