"""A reply that never begins."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Break, Script


@dataclass(frozen=True)
class HangBeforeHeaders(WireFault):
    """The service takes the request and never answers: httpx raises ReadTimeout when its time-out is over.

    Seen with deadlocked processes and lost packets.

    YAML: ``- hst: every call hangs``
    """

    kind = "hang_before_headers"
    phrases = ("hangs",)

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(broken=Break("hang"))
