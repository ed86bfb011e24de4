"""A job that never ends of itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.lifecycle import Status


@dataclass(frozen=True)
class ExecutionTimeout(JobFault):
    """The program hangs until ``executionTimeout`` is over, or ``seconds`` when they are given.

    3 to 12 seconds later the job is FAILED with ``executionTimeout exceeded``; with ``timed_out`` it is TIMED_OUT.

    Seen in two public logs of RunPod users; related: runpod-workers/cog-worker#2.

    YAML: ``- grace: first job has execution_timeout seconds=5s``
    """

    kind = "execution_timeout"
    phrases = ("never ends", "hangs")
    seconds: float | None = None
    timed_out: bool = False

    def submitted(self, job: Job) -> None:
        """Shorten the time that it has."""
        if self.seconds is not None:
            policy = replace(job.order.policy, execution_timeout_ms=round(self.seconds * 1000))
            job.order = replace(job.order, policy=policy)

    def hangs(self, job: Job) -> bool:
        """Always."""
        return True

    def over_time(self, job: Job, status: Status) -> Status:
        """TIMED_OUT, if so asked."""
        return Status.TIMED_OUT if self.timed_out else status
