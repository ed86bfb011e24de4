"""What the control plane answers over HTTP, described: its OpenAPI document shows these; nothing is made of them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Told(BaseModel):
    """An answer: it has these fields and no others."""

    model_config = ConfigDict(extra="forbid")


class Mistake(Told):
    """What is wrong; of a fault rule also where in it, and the nearest valid name."""

    message: str
    column: int = 0
    suggestion: str | None = None


class Refusal(Told):
    """Every answer that is no success."""

    error: Mistake


class Clock(Told):
    """The clock of a world: what it shows, seconds since the world began, whether it stands still."""

    now: str
    elapsed: float
    frozen: bool


class WorldTold(Told):
    """A world in a few words."""

    name: str
    seed: int
    starting: str
    elapsed: float
    exchanges: int
    faults: int


class WorldWithEnvironment(WorldTold):
    """The same, with what a server needs to reach it."""

    environment: dict[str, str]


class Rule(Told):
    """A fault rule in its long form."""

    id: str
    match: dict[str, Any]
    effect: dict[str, Any]
    schedule: dict[str, Any]
    optional: bool
    sentence: str


class RuleInPlan(Rule):
    """The same, with how often it acted and whether it still can."""

    count: int
    active: bool


class Kind(Told):
    """A fault kind: where it acts, on whom, how it is said, what it takes with the defaults, and its page."""

    kind: str
    point: str
    services: list[str]
    phrases: list[str]
    attributes: dict[str, Any]
    page: str


class Exchange(BaseModel):
    """One request to a fake, and its reply."""

    number: int
    service: str


class Exchanges(Told):
    """A page of the journal: ``found`` would fit, ``dropped`` are gone."""

    exchanges: list[Exchange]
    found: int
    dropped: int


class NoExchanges(Told):
    """The journal after it was cleared."""

    exchanges: list[Exchange]


class Event(BaseModel):
    """One event of the trace."""

    at: float
    source: str
    kind: str


class TraceTold(Told):
    """The newest events, and the digest over all that are kept."""

    digest: str
    events: list[Event]


class JobTold(Told):
    """A job of GRACE."""

    id: str
    endpoint: str
    via: str
    module: str | None
    trace_id: str | None
    status: str
    worker: str | None
    attempts: int
    queued_s: float
    ran_s: float | None


class ModelTold(Told):
    """The rules that the model follows, and how many requests it has seen."""

    script: list[dict[str, Any]] | None
    seen: int
