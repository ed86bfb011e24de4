"""A worker that takes long to start."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import Hold, JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class ColdStartDelay(JobFault):
    """The job stays IN_QUEUE for ``seconds`` while a worker is initializing, and then runs.

    For the first job alone: an impatient client's first call fails, and later ones work.

    Seen in runpod-workers/worker-comfyui#125 and ashleykleynhans/runpod-worker-a1111#26.

    YAML: ``- grace: first job has cold_start_delay seconds=90s``
    """

    kind = "cold_start_delay"
    phrases = ("starts cold in {seconds}", "starts cold")
    seconds: float = 90.0

    def hold(self, job: Job) -> Hold | None:
        """Until the worker has started."""
        return Hold(job.queued_at + self.seconds, "initializing")
