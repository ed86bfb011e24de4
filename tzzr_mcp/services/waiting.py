"""The calls whose job waits in a service's queue: what an operator must see to add workers."""

from __future__ import annotations

from tzzr_mcp.seams import Trace
from tzzr_mcp.services.jobs import Job, JobState


class Waiting:
    """Counts the jobs of calls that are in the queue, and tells the trace whenever the count changes."""

    def __init__(self, service: str, trace: Trace) -> None:
        self._service = service
        self._trace = trace
        self._jobs: set[str] = set()

    def __len__(self) -> int:
        return len(self._jobs)

    def see(self, job: Job) -> None:
        """One reading of a job that a call waits for."""
        if job.state is JobState.IN_QUEUE:
            self._tell(self._jobs | {job.id})
        else:
            self.leave(job.id)

    def leave(self, job_id: str) -> None:
        """Nobody waits for this job any more."""
        self._tell(self._jobs - {job_id})

    def _tell(self, jobs: set[str]) -> None:
        if jobs != self._jobs:
            self._jobs = jobs
            self._trace.record("server", "queue", service=self._service, waiting=len(jobs))
