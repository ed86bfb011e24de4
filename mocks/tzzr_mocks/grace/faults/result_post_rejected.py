"""A result that never arrives."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.posts import Post


@dataclass(frozen=True)
class ResultPostRejected(JobFault):
    """The worker's post is refused; the caller sees COMPLETED and nothing.

    Seen in runpod/runpod-python#309 and davefojtik/RunPod-Fooocus-API#46.

    YAML: ``- grace: first job has result_post_rejected``
    """

    kind = "result_post_rejected"
    phrases = ("loses its result",)

    def posted(self, job: Job, post: Post) -> Post:
        """Nothing."""
        return Post()
