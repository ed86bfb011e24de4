"""A RunPod job as its ``/status`` tells it (runpod.md §6, §7). Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class JobState(StrEnum):
    """The states of a job. RUNNING is in RunPod's docs only; GONE is HTTP 404: expired, purged or never seen."""

    IN_QUEUE = "IN_QUEUE"
    IN_PROGRESS = "IN_PROGRESS"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    TIMED_OUT = "TIMED_OUT"
    GONE = "GONE"
    UNKNOWN = "UNKNOWN"


FINAL: Final = frozenset({JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED, JobState.TIMED_OUT, JobState.GONE})
"""A state of these never changes; one that nobody knows is taken for not final, as RunPod's own client does."""


class Cause(StrEnum):
    """Why a job failed, as far as its ``error`` lets one tell."""

    WORKER_LOST = "worker_lost"  # the platform lost the worker, or its retry
    EXECUTION_TIMEOUT = "execution_timeout"  # the policy's executionTimeout
    NOT_READY = "not_ready"  # the worker's backend did not start in time
    EXCEPTION = "exception"  # the worker's code raised
    UNKNOWN = "unknown"


RETRYABLE_CAUSES: Final = frozenset({Cause.WORKER_LOST, Cause.EXECUTION_TIMEOUT, Cause.NOT_READY})

_PHRASES: Final = (
    ("job timed out", Cause.WORKER_LOST),
    ("executiontimeout", Cause.EXECUTION_TIMEOUT),
    ("not ready", Cause.NOT_READY),
    ("traceback", Cause.EXCEPTION),
)
"""What the platform and workers write into ``error`` (runpod.md §6, §13)."""


@dataclass(frozen=True)
class Job:
    """One reading of a job. ``output`` is any JSON, None when there is none; ``error`` the upstream's own words."""

    id: str
    state: JobState
    output: Any = None
    error: str | None = None

    @property
    def final(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in FINAL

    @property
    def cause(self) -> Cause:
        """Why it failed."""
        if self.error is None:
            return Cause.UNKNOWN
        if _is_exception(self.error):
            return Cause.EXCEPTION
        text = self.error.lower()
        return next((cause for phrase, cause in _PHRASES if phrase in text), Cause.UNKNOWN)


def read_job(document: Mapping[str, Any], job_id: str) -> Job | None:
    """The job in an answer of ``/run``, ``/status`` or ``/cancel``; None when it tells no state.

    ``id`` may be missing in what is not final (runpod.md §13, 30), so the caller's is kept.
    """
    status = document.get("status")
    if not isinstance(status, str):
        return None
    state = JobState(status) if status in _KNOWN else JobState.UNKNOWN
    return Job(job_id, state, _unwrapped(document.get("output")), _words(document.get("error")))


_KNOWN: Final = frozenset(state.value for state in JobState) - {JobState.GONE, JobState.UNKNOWN}


def _unwrapped(output: Any) -> Any:
    # RunPod's own examples return {"output": …} from a handler, which the platform wraps once more (§13, 18).
    if isinstance(output, dict) and list(output) == ["output"]:
        return output["output"]
    return output


def _words(error: Any) -> str | None:
    if error is None or isinstance(error, str):
        return error or None
    return json.dumps(error, ensure_ascii=False)


def _is_exception(error: str) -> bool:
    """Whether the worker's code raised: RunPod serialises that as a JSON object into the string (§13, 15)."""
    try:
        told = json.loads(error)
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and "error_type" in told
