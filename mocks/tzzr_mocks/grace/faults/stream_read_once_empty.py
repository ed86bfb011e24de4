"""A stream that somebody has read before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class StreamReadOnceEmpty(JobFault):
    """Only the first read of ``/stream`` gets chunks; every later one is answered with the status and an empty list.

    Seen in OpenAccess-AI-Collective/servereless-runpod-ggml#5.

    YAML: ``- grace: first job has stream_read_once_empty``
    """

    kind = "stream_read_once_empty"

    def shown(self, job: Job, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """Empty, but for the first reader."""
        return {**body, "stream": []} if "stream" in body and job.reads > 1 else body
