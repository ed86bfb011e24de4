"""The states of a job and the only ways between them: runpod.md §7.

    submitted ─▶ IN_QUEUE ─▶ IN_PROGRESS ─▶ COMPLETED | FAILED | TIMED_OUT
                    │             │
                    ├─▶ TIMED_OUT └─▶ CANCELLED          FAILED | TIMED_OUT ─▶ IN_QUEUE  (/retry)
                    └─▶ CANCELLED

A worker that is lost makes IN_PROGRESS follow IN_PROGRESS, with one more retry. What is gone (purged, expired) has no
state: it answers 404.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Status(StrEnum):
    """What the field ``status`` of an answer says."""

    IN_QUEUE = "IN_QUEUE"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    TIMED_OUT = "TIMED_OUT"

    @property
    def final(self) -> bool:
        """Whether no worker will change it any more."""
        return self in FINAL


FINAL: Final = frozenset({Status.COMPLETED, Status.FAILED, Status.CANCELLED, Status.TIMED_OUT})
RETRYABLE: Final = frozenset({Status.FAILED, Status.TIMED_OUT})
"""What ``/retry`` takes."""

TRANSITIONS: Final[Mapping[Status, frozenset[Status]]] = MappingProxyType(
    {
        Status.IN_QUEUE: frozenset({Status.IN_PROGRESS, Status.CANCELLED, Status.TIMED_OUT}),
        Status.IN_PROGRESS: FINAL | {Status.IN_PROGRESS},
        Status.COMPLETED: frozenset(),
        Status.FAILED: frozenset({Status.IN_QUEUE}),
        Status.CANCELLED: frozenset(),
        Status.TIMED_OUT: frozenset({Status.IN_QUEUE}),
    }
)


class IllegalTransition(RuntimeError):
    """The fake tried what the platform never does: a defect of the fake, never an answer to a client."""

    def __init__(self, job_id: str, before: Status, after: Status) -> None:
        allowed = ", ".join(sorted(TRANSITIONS[before])) or "nothing"
        super().__init__(f"job {job_id}: {before} may be followed by {allowed}, not by {after}")


def check(job_id: str, before: Status, after: Status) -> None:
    """Raise `IllegalTransition` when ``after`` may not follow ``before``."""
    if after not in TRANSITIONS[before]:
        raise IllegalTransition(job_id, before, after)
