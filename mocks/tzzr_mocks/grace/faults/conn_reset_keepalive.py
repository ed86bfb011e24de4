"""A pooled connection that is reset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Break, Script


@dataclass(frozen=True)
class ConnResetKeepalive(WireFault):
    """The connection is reset before the reply begins; RunPod's clients do not send the request again.

    What was asked may have been done: a job may run whose id nobody knows.

    Seen in a measurement of RunPod's clients (ConnectionError, ClientOSError, ``fetch failed``).

    YAML: ``- grace: first request to POST /run gets conn_reset_keepalive``
    """

    kind = "conn_reset_keepalive"
    services: ClassVar[frozenset[str]] = frozenset({"grace"})

    def script(self) -> Script:
        """A reset in the head's place."""
        return Script(broken=Break("reset"))
