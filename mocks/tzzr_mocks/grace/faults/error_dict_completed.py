"""An error that counts as success."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.posts import Post


@dataclass(frozen=True)
class ErrorDictCompleted(JobFault):
    """The worker returns an object as its error; the platform drops it, and the job is COMPLETED without output.

    Seen in runpod/runpod-python#299.

    YAML: ``- grace: first job has error_dict_completed``
    """

    kind = "error_dict_completed"

    def posted(self, job: Job, post: Post) -> Post:
        """What is left of an error that is not text."""
        return Post()
