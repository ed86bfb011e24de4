"""A job that is forgotten too soon."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class JobExpired404(JobFault):
    """The job is gone ``seconds`` after its submission, also while it waits or runs: every later read is answered 404.

    Seen in runpod/runpod-python#56 and wlsdml1114/Engui_Studio#21.

    YAML: ``- grace: first job has job_expired_404 seconds=5s``
    """

    kind = "job_expired_404"
    phrases = ("expires after {seconds}", "expires")
    seconds: float = 0.0

    def lifetime_s(self, job: Job) -> float | None:
        """From its submission on."""
        return self.seconds
