"""A reply that stops in the middle and goes on much later."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tzzr_mocks.llm.delivery import Break, Delivery
from tzzr_mocks.llm.faults.base import ModelFault


@dataclass(frozen=True)
class Stalls(ModelFault):
    """Silence of ``seconds`` after ``after`` events, and then the rest; a client's read time-out may end it before.

    Seen with overloaded models, whose streams stand still for minutes.

    YAML: ``- llm: first call stalls for 5m``
    """

    kind = "stalls"
    phrases = ("stalls", "stalls for {seconds}")
    seconds: float = 600.0
    after: int = 4

    def __post_init__(self) -> None:
        if self.after < 1 or self.seconds < 0:
            raise ValueError(f"after {self.after} must be 1 or more, seconds {self.seconds:g} not negative")

    def delivery(self, delivery: Delivery) -> Delivery:
        """Stand still."""
        return replace(delivery, broken=Break("hang", self.after, seconds=self.seconds))
