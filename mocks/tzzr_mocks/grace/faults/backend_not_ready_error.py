"""A worker whose backend did not start."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.posts import Post


@dataclass(frozen=True)
class BackendNotReadyError(JobFault):
    """The job is FAILED with a plain text that says how long the worker waited.

    Seen in ai-dock/comfyui#78.

    YAML: ``- grace: first job has backend_not_ready_error``
    """

    kind = "backend_not_ready_error"
    phrases = ("has no backend",)
    error: str = "Server not ready after timeout (30s)"

    def posted(self, job: Job, post: Post) -> Post:
        """The worker's complaint."""
        return Post(error=self.error)
