"""What the control plane takes over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, WithJsonSchema

from tzzr_mocks.control.attributes import duration
from tzzr_mocks.network.steered import MOST_S

DURATION: Final = r"^\d{1,6}(\.\d{1,9})?(ms|s|m|min|h)?$"
"""What a duration looks like, for the description; `tzzr_mocks.control.attributes.duration` reads it."""


def _seconds(value: float | str) -> float:
    return duration(value) if isinstance(value, str) else value


def _no_word(value: object) -> object:
    """A number is a number: neither true nor a text that looks like one."""
    if isinstance(value, bool | str):
        raise ValueError("give a number")
    return value


def _no_flag(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("give seconds, or a duration")
    return value


Whole = Annotated[int, BeforeValidator(_no_word)]
Seconds = Annotated[
    float | str,
    BeforeValidator(_no_flag),
    AfterValidator(_seconds),
    WithJsonSchema(
        {"anyOf": [{"type": "number", "minimum": 0, "maximum": MOST_S}, {"type": "string", "pattern": DURATION}]}
    ),
    Field(description="Seconds, or a duration: 250ms, 3s, 2m, 1h"),
]


class Given(BaseModel):
    """A body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class NewRule(Given):
    """A fault rule, in its short form or in its long one."""

    rule: str | dict[str, Any] = Field(examples=["grace: OCR_LOCAL is down"])


class Switch(Given):
    """Whether a rule may act."""

    active: StrictBool


class Healing(Given):
    """What to heal: a rule's id, a service, a module, a kind, a short form; nothing: everything."""

    what: str | None = None


class Advance(Given):
    """How far to move the clock."""

    seconds: Seconds


class NewWorld(Given):
    """A world to be made."""

    name: str
    seed: Whole = 7
    starting: str = "default"
    faults: list[str | dict[str, Any]] = []


class Start(Given):
    """How a world begins anew."""

    seed: Whole | None = None
    starting: str | None = None


class SnapshotName(Given):
    """What a snapshot is called."""

    name: str = Field(min_length=1, max_length=64)


class NewScript(Given):
    """What the model follows: rules as in a scenario's ``given.model``; null lets it choose by itself."""

    script: list[dict[str, Any]] | None = Field(examples=[[{"when": "factura", "answer": "Es una factura."}]])


class JournalQuery(Given):
    """Which exchanges to tell. ``after`` is the number of one already known, ``world`` the world that this is about."""

    service: str | None = None
    route: str | None = None
    module: str | None = None
    after: int = 0
    limit: int = Field(default=100, ge=1, le=10_000)
    world: str | None = None
