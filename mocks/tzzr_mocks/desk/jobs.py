"""GRACE's jobs as the control plane shows them."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.grace import GraceFake
from tzzr_mocks.grace.job import Job


def jobs_of(grace: GraceFake) -> list[dict[str, Any]]:
    """Every job that is held, oldest first: id, endpoint, module, status, worker, attempts, seconds in queue and run."""
    now = grace.control.seams.clock.monotonic()
    jobs = [job for endpoint in grace.endpoints.values() for job in endpoint.jobs.values()]
    return [_told(job, now) for job in sorted(jobs, key=lambda job: job.queued_at)]


def _told(job: Job, now: float) -> dict[str, Any]:
    waited_until = job.started_at if job.started_at is not None else job.ended_at
    ran_until = job.ended_at if job.ended_at is not None else now
    return {
        "id": job.id, "endpoint": job.endpoint, "via": job.via, "module": job.order.module,
        "trace_id": job.order.trace_id, "status": str(job.status.value), "worker": job.worker_id,
        "attempts": job.attempts, "queued_s": round((now if waited_until is None else waited_until) - job.queued_at, 3),
        "ran_s": None if job.started_at is None else round(ran_until - job.started_at, 3),
    }  # fmt: skip
