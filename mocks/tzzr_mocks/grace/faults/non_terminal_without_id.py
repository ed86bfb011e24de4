"""An answer that lacks the id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class NonTerminalWithoutId(JobFault):
    """While the job has not ended, every answer about it is ``{"status": …}`` alone.

    Seen in runpod/runpod-python#534.

    YAML: ``- grace: first job has non_terminal_without_id``
    """

    kind = "non_terminal_without_id"
    phrases = ("is shown without its id",)

    def shown(self, job: Job, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """The status alone."""
        return body if job.status.final or "stream" in body else {"status": body["status"]}
