"""A client that finds all its connections busy."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Script


@dataclass(frozen=True)
class PoolExhausted(WireFault):
    """No connection of the client's pool is free: httpx raises PoolTimeout when its time-out is over.

    Seen when many calls hang at once.

    YAML: ``- grace: 3rd call finds no connection``
    """

    kind = "pool_exhausted"
    phrases = ("finds no connection",)

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(pool=True)
