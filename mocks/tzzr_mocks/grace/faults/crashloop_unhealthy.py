"""Workers that crash as they start."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import Hold, JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class CrashloopUnhealthy(JobFault):
    """The job stays IN_QUEUE and ``/health`` shows an unhealthy worker for each job that waits so; none is idle.

    Seen in runpod/runpod-mcp#62.

    YAML: ``- grace: every job is crashloop unhealthy``
    """

    kind = "crashloop_unhealthy"
    phrases = ("meets crashing workers",)

    def hold(self, job: Job) -> Hold | None:
        """Until the fault is healed."""
        return Hold(counter="unhealthy")
