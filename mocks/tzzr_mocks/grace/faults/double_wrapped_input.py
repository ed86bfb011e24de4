"""An input inside an input."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.grace.faults.base import JobFault
from tzzr_mocks.grace.job import Job


@dataclass(frozen=True)
class DoubleWrappedInput(JobFault):
    """The worker gets ``{"input": {…}}`` in the place of the input, as RunPod's asyncio client sends it.

    Seen in RunPod's own client (measured: its ``run`` wraps whatever it is given).

    YAML: ``- grace: first job has double_wrapped_input``
    """

    kind = "double_wrapped_input"

    def submitted(self, job: Job) -> None:
        """Wrap it once more."""
        job.order = replace(job.order, input={"input": job.order.input})
