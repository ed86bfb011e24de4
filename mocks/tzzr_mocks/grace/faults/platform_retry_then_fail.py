"""A worker that is lost, and the next one too."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class PlatformRetryThenFail(JobFault):
    """Nothing is heard of the first ``attempts`` workers, and the platform tries once more.

    Then ``retries`` is 1 and ``delayTime`` jumps. When that worker is lost too, the job is FAILED with
    ``job timed out after 1 retries``.

    Seen in runpod-workers/worker-vllm#29 (there retried without end) and in a capture by RunPod's staff.

    YAML: ``- grace: first job has platform_retry_then_fail attempts=1``
    """

    kind = "platform_retry_then_fail"
    phrases = ("loses its worker {attempts} times", "loses its workers")
    attempts: int = 2

    def silent(self, job: Job) -> bool:
        """The first attempts."""
        return job.attempts <= self.attempts
