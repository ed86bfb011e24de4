"""An error that is JSON inside a string."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.posts import Post, post_of_failure


@dataclass(frozen=True)
class ErrorJsonInString(JobFault):
    """The job is FAILED and ``error`` is a JSON object of six keys, serialised into the string, as for any exception of a worker.

    Seen in davefojtik/RunPod-Fooocus-API#44.

    YAML: ``- grace: first job has error_json_in_string``
    """

    kind = "error_json_in_string"
    phrases = ("raises in the worker",)
    message: str = "CUDA out of memory"

    def posted(self, job: Job, post: Post) -> Post:
        """What a worker posts that raised RuntimeError."""
        return post_of_failure(RuntimeError(self.message), job.worker_id or "unknown")
