"""A model that thinks for long before it speaks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.llm.delivery import Delivery
from tzzr_mocks.llm.faults.base import ModelFault


@dataclass(frozen=True)
class SlowFirstToken(ModelFault):
    """The first token comes after ``seconds``, with the reply's head sent before it when it is streamed.

    Seen with reasoning models and with models that are loaded on demand.

    YAML: ``- llm: every call thinks for 40s``
    """

    kind = "slow_first_token"
    phrases = ("thinks for {seconds}",)
    seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.seconds < 0:
            raise ValueError(f"seconds {self.seconds:g} must not be negative")

    def delivery(self, delivery: Delivery) -> Delivery:
        """Think."""
        return replace(delivery, pace=replace(delivery.pace, first_s=self.seconds))
