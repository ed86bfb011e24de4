"""A connection that is reset in the middle of the reply."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault, check_body_bytes
from tzzr_mocks.network.script import Break, Script


@dataclass(frozen=True)
class ResetInBody(WireFault):
    """The connection is reset ``after`` bytes of the body: httpx raises ReadError without text, with status and headers seen.

    Seen when a process is killed while it sends.

    YAML: ``- grace: 2nd call is reset in the body``
    """

    kind = "reset_in_body"
    phrases = ("is reset in the body",)
    after: int = 1

    def __post_init__(self) -> None:
        check_body_bytes(self.after)

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(broken=Break("reset", "body", self.after))
