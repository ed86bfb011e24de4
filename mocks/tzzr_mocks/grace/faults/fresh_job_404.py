"""A job that is not found right after its submission."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.errors import NotFound
from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class FreshJob404(JobFault):
    """The first ``reads`` reads of the job are answered 404; then it is there.

    Seen in runpod/runpod-python#534, whose client asks up to seven times.

    YAML: ``- grace: every job has fresh_job_404 reads=3``
    """

    kind = "fresh_job_404"
    phrases = ("is not found at first",)
    reads: int = 1

    def read(self, job: Job, operation: str) -> None:
        """Not found, as long as it is fresh."""
        if job.reads <= self.reads:
            raise NotFound("job")
