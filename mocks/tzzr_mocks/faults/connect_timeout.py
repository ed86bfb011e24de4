"""A connection that is never made."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Script


@dataclass(frozen=True)
class ConnectTimeout(WireFault):
    """Nobody answers the SYN: httpx raises ConnectTimeout when its time-out is over.

    Seen behind firewalls that drop packets, and when a machine is gone.

    YAML: ``- context: every call cannot be reached``
    """

    kind = "connect_timeout"
    phrases = ("cannot be reached", "times out on connect")

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(connect="hang")
