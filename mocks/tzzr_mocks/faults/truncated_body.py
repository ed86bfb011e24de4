"""A reply that ends before its Content-Length."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault, check_body_bytes
from tzzr_mocks.network.script import Break, Script


@dataclass(frozen=True)
class TruncatedBody(WireFault):
    """The connection is closed in good order ``after`` bytes of the body: httpx raises RemoteProtocolError.

    Status and headers are seen, and the right Content-Length says that more should come.

    Seen at proxies that give up, and when a process exits while it sends.

    YAML: ``- hst: 1st call is truncated after=10``
    """

    kind = "truncated_body"
    phrases = ("is truncated",)
    after: int = 1

    def __post_init__(self) -> None:
        check_body_bytes(self.after)

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(broken=Break("close", "body", self.after))
