"""A job that is finished before it is."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.posts import Post


@dataclass(frozen=True)
class PrematureCompleted(JobFault):
    """The job is COMPLETED with ``output``, an intermediate result, in the place of the true one.

    Seen in davefojtik/RunPod-Fooocus-API#17.

    YAML: ``- grace: first job has premature_completed output=starting``
    """

    kind = "premature_completed"
    phrases = ("completes too early",)
    output: str = "processing"

    def posted(self, job: Job, post: Post) -> Post:
        """The intermediate result."""
        return Post(self.output)
