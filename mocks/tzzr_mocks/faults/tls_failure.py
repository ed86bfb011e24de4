"""A TLS handshake that fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.network.script import Script


@dataclass(frozen=True)
class TlsFailure(WireFault):
    """The handshake fails: httpx raises ConnectError, or ConnectTimeout for ``hang``.

    The certificate is not trusted (``verify``), the port speaks no TLS (``plain``), the handshake breaks off (``eof``,
    ``reset``) or never ends (``hang``). A base URL with http is taken as https for the call.

    Seen with expired and self-signed certificates, and proxies that inspect.

    YAML: ``- grace: first call fails tls with verify``
    """

    kind = "tls_failure"
    phrases = ("fails tls", "fails tls with {how}")
    how: Literal["verify", "plain", "eof", "reset", "hang"] = "verify"

    def script(self) -> Script:
        """What happens to the connection."""
        return Script(tls=self.how)
