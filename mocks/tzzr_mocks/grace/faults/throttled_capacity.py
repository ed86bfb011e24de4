"""No machine is free."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import Hold, JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class ThrottledCapacity(JobFault):
    """The job stays IN_QUEUE for ``seconds`` while ``/health`` shows throttled workers only, and then runs.

    Seen in runpod/runpod-mcp#62 (the hint that its code gives) and in RunPod's own capture of ``/health``.

    YAML: ``- grace: first job has throttled_capacity seconds=2min``
    """

    kind = "throttled_capacity"
    phrases = ("is throttled for {seconds}", "is throttled")
    seconds: float = 60.0

    def hold(self, job: Job) -> Hold | None:
        """Until a machine is free."""
        return Hold(job.queued_at + self.seconds, "throttled")
