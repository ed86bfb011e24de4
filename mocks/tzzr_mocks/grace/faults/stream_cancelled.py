"""A stream that ends with CANCELLED."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job
from tzzr_mocks.grace.lifecycle import Status


@dataclass(frozen=True)
class StreamCancelled(JobFault):
    """``/stream`` shows CANCELLED and no chunk; RunPod's Python client does not take that for an end and hangs.

    Seen in a measurement of RunPod's Python client (its list of final states lacks CANCELLED).

    YAML: ``- grace: first job has stream_cancelled``
    """

    kind = "stream_cancelled"

    def shown(self, job: Job, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """Cancelled."""
        return {"status": Status.CANCELLED, "stream": []} if "stream" in body else body
