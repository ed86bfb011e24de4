"""A reply that stops in the middle and never goes on."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault, check_body_bytes
from tzzr_mocks.network.script import Break, Script


@dataclass(frozen=True)
class HangInBody(WireFault):
    """Silence ``after`` bytes of the body: httpx raises ReadTimeout, with status and headers seen.

    Seen with deadlocked processes and lost packets.

    YAML: ``- hst: 1st call hangs in the body``
    """

    kind = "hang_in_body"
    phrases = ("hangs in the body",)
    after: int = 1

    def __post_init__(self) -> None:
        check_body_bytes(self.after)

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(broken=Break("hang", "body", self.after))
