"""A job that no worker ever takes."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import Hold, JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class StuckInQueue(JobFault):
    """The job stays IN_QUEUE for ever while workers are idle and ready; healing the fault lets it run.

    Seen in ashleykleynhans/runpod-worker-real-esrgan#1.

    YAML: ``- grace: first job is stuck in queue``
    """

    kind = "stuck_in_queue"
    phrases = ("stays in the queue",)

    def hold(self, job: Job) -> Hold | None:
        """Until the fault is healed."""
        return Hold()
