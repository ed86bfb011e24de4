"""A reply that comes byte by byte."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Drip, Script


@dataclass(frozen=True)
class SlowDrip(WireFault):
    """The reply comes ``size`` bytes at a time, ``seconds`` apart.

    A read time-out longer than ``seconds`` never fires, so that the whole may take any time: only a deadline helps.

    Seen on overloaded networks, and as an attack.

    YAML: ``- grace: every call drips 10 bytes every 1s``
    """

    kind = "slow_drip"
    phrases = ("drips", "drips {size} bytes every {seconds}")
    size: int = 1
    seconds: float = 1.0

    def __post_init__(self) -> None:
        if self.size < 1 or self.seconds <= 0:
            raise ValueError(f"size {self.size} and seconds {self.seconds:g} must be at least 1 and more than 0")

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(drip=Drip(self.size, self.seconds))
