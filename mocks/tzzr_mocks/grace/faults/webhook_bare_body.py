"""A webhook that tells the output alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class WebhookBareBody(JobFault):
    """The webhook posts ``{"output": …}`` without id and status, as RunPod's local server does.

    Seen in runpod/runpod-python#409.

    YAML: ``- grace: every job has webhook_bare_body``
    """

    kind = "webhook_bare_body"

    def webhook(self, job: Job, body: Any) -> Any:
        """The output alone."""
        return {"output": body.get("output")}
