"""What everything stands on: clock, deadline, dice and trace. Pure, imports nothing of the project."""

from __future__ import annotations

from dataclasses import dataclass, field

from tzzr_mcp.seams.clock import Clock, LoopClock, SystemClock
from tzzr_mcp.seams.deadline import Deadline
from tzzr_mcp.seams.dice import Dice
from tzzr_mcp.seams.trace import Event, NoTrace, Trace

__all__ = ["Clock", "Deadline", "Dice", "Event", "LoopClock", "NoTrace", "Seams", "SystemClock", "Trace"]


@dataclass(frozen=True)
class Seams:
    """Time, chance and the record of what happened, handed down together from whoever builds a server or a world."""

    clock: Clock = field(default_factory=SystemClock)
    dice: Dice = field(default_factory=Dice.from_entropy)
    trace: Trace = field(default_factory=NoTrace)
