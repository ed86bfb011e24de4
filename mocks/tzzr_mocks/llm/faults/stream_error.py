"""A reply that turns into an error in the middle."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.llm.delivery import Break, Delivery
from tzzr_mocks.llm.faults.base import ModelFault


@dataclass(frozen=True)
class StreamError(ModelFault):
    """After ``after`` events comes the API's error event for ``status``, though the HTTP status was 200.

    Without streaming the request fails with that status. Seen when a model is overloaded while it speaks: Anthropic
    documents ``overloaded_error`` as an event (docs.anthropic.com/en/api/errors).

    YAML: ``- llm: first call fails in mid-stream status=529``
    """

    kind = "stream_error"
    phrases = ("fails in mid-stream", "fails in mid-stream with {status}")
    after: int = 4
    status: int = 500

    def __post_init__(self) -> None:
        if self.after < 1:
            raise ValueError(f"after {self.after} is before the reply; give 1 or more events")
        if not 400 <= self.status <= 599:
            raise ValueError(f"status {self.status} is not an error; give 400 to 599")

    def delivery(self, delivery: Delivery) -> Delivery:
        """Break off with an error."""
        return replace(delivery, broken=Break("error", self.after, self.status))
