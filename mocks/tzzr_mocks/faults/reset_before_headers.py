"""A connection that is reset before the reply begins."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Break, Script


@dataclass(frozen=True)
class ResetBeforeHeaders(WireFault):
    """The service takes the request, does its work, and resets the connection: httpx raises ReadError without text.

    Seen when a process is killed, and at load balancers.

    YAML: ``- grace: first call is reset``
    """

    kind = "reset_before_headers"
    phrases = ("is reset",)

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(broken=Break("reset"))
