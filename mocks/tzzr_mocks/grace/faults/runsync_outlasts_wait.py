"""A held answer that is let go before the job has ended."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class RunsyncOutlastsWait(JobFault):
    """``/runsync`` answers 200 after ``seconds`` with IN_QUEUE or IN_PROGRESS and without output.

    Seen in runpod/runpod-mcp#13 and lukestanley/ChillTranslator#3.

    YAML: ``- grace: first job has runsync_outlasts_wait seconds=1s``
    """

    kind = "runsync_outlasts_wait"
    phrases = ("outlasts the wait",)
    seconds: float = 0.0

    def waits(self, job: Job, operation: str, seconds: float) -> float:
        """Not longer than ``seconds``."""
        return min(seconds, self.seconds) if operation == "runsync" else seconds
