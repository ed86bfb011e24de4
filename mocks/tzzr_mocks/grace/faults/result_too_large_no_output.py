"""A result that is too large to be kept."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.posts import Post, delivered


@dataclass(frozen=True)
class ResultTooLargeNoOutput(JobFault):
    """An output over ``bytes`` is lost: the job is COMPLETED without output.

    Seen in runpod-workers/worker-comfyui#129 and #167, wlsdml1114/Infinitetalk_Runpod_hub#3.

    YAML: ``- grace: every job has result_too_large_no_output bytes=2000``
    """

    kind = "result_too_large_no_output"
    bytes: int = 0

    def posted(self, job: Job, post: Post) -> Post:
        """Without the output, when it is too large."""
        return delivered(post, self.bytes) or post
