"""The base of faults on the connection between client and fake."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.network.script import Script


@dataclass(frozen=True)
class WireFault(Fault):
    """A fault of one connection. It only says what happens; network or server act it out."""

    point: ClassVar[Point] = Point.WIRE

    def script(self) -> Script:
        """What happens to the connection."""
        return Script()


def script_of(faults: Iterable[Fault]) -> Script | None:
    """The scripts of these faults in one; None where none of them is a wire fault."""
    scripts = [fault.script() for fault in faults if isinstance(fault, WireFault)]
    return reduce(Script.joined, scripts) if scripts else None


def check_body_bytes(after: int) -> None:
    """A break in the body needs at least one byte before it.

    Raises:
        ValueError: there is none.
    """
    if after < 1:
        raise ValueError(f"after {after} is before the body; give 1 or more bytes")
