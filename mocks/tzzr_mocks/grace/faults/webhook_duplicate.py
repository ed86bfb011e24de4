"""A webhook that comes again."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class WebhookDuplicate(JobFault):
    """The webhook is delivered ``times`` more, each 5 seconds after the one before, although the first was taken.

    Seen in ashleykleynhans/runpod-worker-a1111#4.

    YAML: ``- grace: every job has webhook_duplicate times=2``
    """

    kind = "webhook_duplicate"
    times: int = 1

    def repeats_webhook_s(self, job: Job) -> tuple[float, ...]:
        """Five seconds apart."""
        return (5.0,) * self.times
