"""A name that the resolver does not know."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Script


@dataclass(frozen=True)
class DnsFailure(WireFault):
    """The host's name does not resolve: httpx raises ConnectError.

    Seen with a wrong base URL, and when a network has no resolver.

    YAML: ``- hst: every call cannot be resolved``
    """

    kind = "dns_failure"
    phrases = ("cannot be resolved", "is unknown to dns")

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(connect="dns")
