"""A stream that never ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.lifecycle import Status


@dataclass(frozen=True)
class StreamNeverFinal(JobFault):
    """``/stream`` shows IN_PROGRESS and no chunk for ever, whatever becomes of the job.

    Seen in a measurement of RunPod's clients, which then poll for ever, and the review of runpod/runpod-mcp#13.

    YAML: ``- grace: first job has stream_never_final``
    """

    kind = "stream_never_final"

    def shown(self, job: Job, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """Still in progress."""
        return {"status": Status.IN_PROGRESS, "stream": []} if "stream" in body else body
