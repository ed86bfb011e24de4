"""A job that two workers run."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class ExecutedTwice(JobFault):
    """``times`` more workers run the same job beside the first, with all that it does; nobody hears of their results.

    Seen in runpod/runpod-python#402.

    YAML: ``- grace: first job is executed twice``
    """

    kind = "executed_twice"
    phrases = ("runs twice",)
    times: int = 1

    def extra_runs(self, job: Job) -> int:
        """On the first attempt."""
        return self.times if job.attempts == 1 else 0
