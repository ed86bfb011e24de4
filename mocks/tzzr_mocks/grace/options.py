"""What RunPod's documents leave open, contradict or do not fix, as switches; the defaults are what was captured.

Sources: runpod.md §15 (uncertain) and the rows marked I or ? elsewhere. Durations are seconds on the world's clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.limits import Limits


@dataclass(frozen=True)
class Workers:
    """How an endpoint's workers come and go (runpod.md §8, DOC-cfg).

    ``warm`` of them never go away; up to ``most`` start while jobs wait, each after ``cold_start_s``; one that has been
    idle for ``idle_timeout_s`` goes away again. A queued job is picked up ``pickup_s`` after a worker is free.
    """

    warm: int = 2
    most: int = 3
    cold_start_s: float = 8.0
    idle_timeout_s: float = 5.0
    pickup_s: float = 0.02
    requests_per_worker: int = 1


@dataclass(frozen=True)
class Options:
    """One fake RunPod's habits.

    ``unauthorized`` is the body of a 401 and ``not_found`` that of a 404; ``auth_first`` says whether a bad key is
    told before an unknown endpoint. ``too_large_status`` answers a body over the limit. ``ttl_over`` is what a passed
    ``policy.ttl`` makes of a job, ``purged`` what ``/purge-queue`` makes of it. ``over_time_status`` ends a job that
    exceeded its ``executionTimeout``, killed between the two ``late_kill_s`` afterwards. A worker that reports nothing
    is given up after ``silence_s``; ``platform_retries`` more attempts follow, and then the job
    ends with ``silent_status``. ``error_object_completes``: a worker
    that returns ``{"error": {...}}`` completes its job, as seen in 2024, instead of failing it. ``null_output`` shows
    the output of a job whose worker returned None as ``null`` instead of leaving it out. ``cancel_final`` answers
    ``/cancel`` on a job that has ended with its state, or refuses it, and ``cancel_unknown`` refuses one that nobody knows
    with 404, or answers as if it had been cancelled. ``retry_refused_status`` answers ``/retry`` of a job that has not
    failed. ``object_input`` demands an object as ``input``. ``retry_after_s`` is in the ``Retry-After`` of a 429, which has
    none otherwise. ``longest_hold_s`` bounds every held answer, as a gateway before the platform would (60, in its staff's
    words).
    """

    workers: Workers = field(default_factory=Workers)
    limits: Limits = field(default_factory=Limits)
    api_base: str = "/v2"
    unauthorized: Literal["empty", "json", "gateway"] = "empty"
    not_found: Literal["json", "empty", "html"] = "json"
    auth_first: bool = True
    too_large_status: int = 400
    unknown_route_status: int = 400
    ttl_over: Literal["gone", "timed_out"] = "gone"
    purged: Literal["gone", "cancelled"] = "gone"
    over_time_status: Literal[Status.FAILED, Status.TIMED_OUT] = Status.FAILED
    late_kill_s: tuple[float, float] = (3.0, 12.0)
    silence_s: float = 20.0
    silent_status: Literal[Status.FAILED, Status.TIMED_OUT] = Status.FAILED
    platform_retries: int = 1
    error_object_completes: bool = True
    null_output: bool = False
    cancel_final: Literal["unchanged", "refused"] = "unchanged"
    cancel_unknown: Literal["refused", "cancelled"] = "refused"
    retry_refused_status: int = 400
    object_input: bool = True
    keep_run_s: float = 30 * 60.0
    keep_runsync_s: float = 60.0
    retry_after_s: int | None = None
    longest_hold_s: float = 300.0
    default_wait_ms: int = 90_000
    default_stream_wait_ms: int = 10_000
    webhook_pauses_s: tuple[float, ...] = (5.0, 15.0)
    webhook_timeout_s: float = 12.0
    webhook_on: frozenset[Status] = frozenset({Status.COMPLETED, Status.FAILED})
    id_suffix: str = "u1"
