"""An output inside an output."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import ABSENT, Job
from tzzr_mocks.grace.posts import Post


@dataclass(frozen=True)
class NestedOutput(JobFault):
    """The job's output is ``{"output": …}``, as from a worker that wraps its own result.

    Seen in RunPod's documents, whose example workers return ``{"output": …}``.

    YAML: ``- grace: every job has nested_output``
    """

    kind = "nested_output"

    def posted(self, job: Job, post: Post) -> Post:
        """Wrap it once more."""
        return Post({"output": post.output}) if post.output is not ABSENT else post
