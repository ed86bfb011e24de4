"""A webhook that is not called for a failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.lifecycle import Status


@dataclass(frozen=True)
class WebhookMissingOnFailure(JobFault):
    """The webhook is called for COMPLETED jobs only, as RunPod's local server does.

    Seen in runpod/runpod-python#410.

    YAML: ``- grace: every job has webhook_missing_on_failure``
    """

    kind = "webhook_missing_on_failure"

    def webhook(self, job: Job, body: Any) -> Any:
        """Only of success."""
        return body if job.status is Status.COMPLETED else None
