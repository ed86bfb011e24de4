"""A webhook that is called again while the receiver still works."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class WebhookSlowReceiver(JobFault):
    """The platform does not wait for a slow receiver: it calls again every ``seconds``, ``times`` times.

    Seen in ashleykleynhans/runpod-worker-a1111#4, about every 12 seconds.

    YAML: ``- grace: every job has webhook_slow_receiver times=3``
    """

    kind = "webhook_slow_receiver"
    seconds: float = 12.0
    times: int = 2

    def repeats_webhook_s(self, job: Job) -> tuple[float, ...]:
        """At that distance."""
        return (self.seconds,) * self.times
