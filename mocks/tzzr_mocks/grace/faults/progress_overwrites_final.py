"""A finished job that falls back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.lifecycle import Status


@dataclass(frozen=True)
class ProgressOverwritesFinal(JobFault):
    """Once the job has ended, every read shows it IN_PROGRESS with the text of a progress update that came late.

    Seen in runpod/runpod-python#250; reproduced with RunPod's own worker.

    YAML: ``- grace: first job has progress_overwrites_final``
    """

    kind = "progress_overwrites_final"
    phrases = ("falls back to its progress",)
    text: str = "90 %"

    def shown(self, job: Job, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """In progress, for ever."""
        if not job.status.final or "stream" in body:
            return body
        rest = {name: value for name, value in body.items() if name not in ("executionTime", "error")}
        return {**rest, "status": Status.IN_PROGRESS, "output": self.text}
