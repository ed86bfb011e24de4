"""A reply that ends in the middle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tzzr_mocks.llm.delivery import Break, Delivery
from tzzr_mocks.llm.faults.base import ModelFault


@dataclass(frozen=True)
class CutShort(ModelFault):
    """The stream ends ``after`` events: the connection breaks off (``gone``), or ends as if all were said (``short``).

    A ``short`` one lacks ``[DONE]`` or ``message_stop``, and no client raises. Without streaming half of the body comes.
    Seen with proxies that limit the length of a request, and in openai/openai-python#2725.

    YAML: ``- llm: first call is cut short after=6``
    """

    kind = "cut_short"
    phrases = ("is cut short",)
    after: int = 4
    how: Literal["gone", "short"] = "gone"

    def __post_init__(self) -> None:
        if self.after < 1:
            raise ValueError(f"after {self.after} is before the reply; give 1 or more events")

    def delivery(self, delivery: Delivery) -> Delivery:
        """Break off."""
        return replace(delivery, broken=Break(self.how, self.after))
