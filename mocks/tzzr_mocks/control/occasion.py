"""An occasion: one moment at which a fault could act, with everything that a rule may match on."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Point(StrEnum):
    """Where in a world a fault acts."""

    WIRE = "wire"
    """On the connection between client and fake."""
    REPLY = "reply"
    """On the fake's HTTP reply."""
    MODULE = "module"
    """When a GRACE module is about to run."""
    JOB = "job"
    """In the life cycle of a RunPod job."""
    ROWS = "rows"
    """On the rows that Directus returns."""
    MODEL = "model"
    """On what a language model says."""


class Occasion(NamedTuple):
    """One moment at which faults of ``point`` may act.

    ``route`` is the fake's label (``POST /run``), ``key`` the idempotency key or the job's id, ``attempt`` counts the
    requests of one trace to one route and module from 1, ``body`` is the request's body.
    """

    point: Point
    service: str
    method: str | None = None
    path: str | None = None
    route: str | None = None
    module: str | None = None
    trace_id: str | None = None
    key: str | None = None
    endpoint: str | None = None
    body: bytes | None = None
    attempt: int | None = None
