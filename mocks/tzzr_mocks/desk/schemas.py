"""What the control plane takes over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tzzr_mocks.control.attributes import duration


def _seconds(value: float | str) -> float:
    return duration(value) if isinstance(value, str) else value


Seconds = Annotated[
    float | str, AfterValidator(_seconds), Field(description="Seconds, or a duration: 250ms, 3s, 2m, 1h")
]


class Given(BaseModel):
    """A body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class NewRule(Given):
    """A fault rule, in its short form or in its long one."""

    rule: str | dict[str, Any] = Field(examples=["grace: OCR_LOCAL is down"])


class Switch(Given):
    """Whether a rule may act."""

    active: bool


class Healing(Given):
    """What to heal: a rule's id, a service, a module, a kind, a short form; nothing: everything."""

    what: str | None = None


class Advance(Given):
    """How far to move the clock."""

    seconds: Seconds


class NewWorld(Given):
    """A world to be made."""

    name: str
    seed: int = 7
    starting: str = "default"
    faults: list[str | dict[str, Any]] = []


class Start(Given):
    """How a world begins anew."""

    seed: int | None = None
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
