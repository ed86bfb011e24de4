"""Nobody listens."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Script


@dataclass(frozen=True)
class ConnectionRefused(WireFault):
    """The connection is refused: httpx raises ConnectError.

    Seen when the service is stopped or restarts.

    YAML: ``- hst: 2nd call is refused``
    """

    kind = "connection_refused"
    phrases = ("is refused", "refuses", "is down", "down")

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(connect="refused")
