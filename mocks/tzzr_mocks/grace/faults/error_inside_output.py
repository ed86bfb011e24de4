"""A failure that only the output tells."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.posts import Post


@dataclass(frozen=True)
class ErrorInsideOutput(JobFault):
    """The job is COMPLETED, and its output is an error of the backend: ``code``, ``message`` and ``status``.

    Seen in runpod-workers/worker-vllm#104 and on RunPod's page about vLLM errors.

    YAML: ``- grace: first job has error_inside_output code=500``
    """

    kind = "error_inside_output"
    code: int = 400
    message: str = "The model does not exist."

    def posted(self, job: Job, post: Post) -> Post:
        """The backend's error in the result's place."""
        return Post({"code": self.code, "message": self.message, "object": "error", "status": "error"})
