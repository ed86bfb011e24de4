"""The base of the faults in what a model says, and in how it comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mcp.seams import Dice
from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.llm.delivery import Delivery
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Reply


@dataclass(frozen=True)
class ModelFault(Fault):
    """A fault of a model's reply. Every moment does nothing unless a kind says otherwise."""

    point: ClassVar[Point] = Point.MODEL
    services: ClassVar[frozenset[str]] = frozenset({"llm"})

    def reply(self, reply: Reply, prompt: Prompt, dice: Dice) -> Reply:
        """What the model says instead."""
        return reply

    def delivery(self, delivery: Delivery) -> Delivery:
        """How it is sent instead."""
        return delivery
