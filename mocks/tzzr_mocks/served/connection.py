"""Wire faults on real sockets: those that a server can cause, acted out on the connection of the request."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Iterable, Sequence
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.middleware import STRIKE
from tzzr_mocks.control.rule import FaultRule
from tzzr_mocks.faults.wire_fault import WireFault, script_of
from tzzr_mocks.network.outflow import Outflow
from tzzr_mocks.network.script import Script

RESET_AFTER_S = 0.02
"""Seconds between the last byte and a RST, which would overtake it."""
_LINGER_NOT = struct.pack("ii", 1, 0)


def refuse_what_only_a_client_meets(rule: FaultRule) -> None:
    """A guard for plans of served worlds.

    Raises:
        PlanError: the fault happens before a server hears of the request.
    """
    if isinstance(rule.fault, WireFault) and rule.fault.script().needs_client:
        raise PlanError(
            f"no server can cause {rule.fault.kind!r}, because the request never reaches it; use it in process, "
            "where client and network are one",
            suggestion="reset_before_headers",
        )


class PlannedTransport(asyncio.Transport):
    """A socket's transport with an outflow before it."""

    def __init__(self, inner: asyncio.Transport) -> None:
        super().__init__()
        self._inner = inner
        self._outflow = Outflow(self)

    def strike(self, faults: Sequence[Fault]) -> None:
        """Let the wire faults among these act on the reply that comes next."""
        self._outflow.follow(script_of(faults) or Script())

    # What the server calls.

    def write(self, data: bytes | bytearray | memoryview[int]) -> None:
        """Send through the script."""
        self._outflow.write(bytes(data))

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        """Send several pieces as one."""
        self.write(b"".join(list_of_data))

    def close(self) -> None:
        """Close once everything is sent."""
        self._outflow.close()

    def abort(self) -> None:
        """Break off."""
        self._inner.abort()

    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._inner.is_closing()

    def pause_reading(self) -> None:
        """Let the client's bytes wait."""
        self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Take the client's bytes again."""
        self._inner.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the socket."""
        return self._inner.get_extra_info(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Change who is told of what arrives."""
        self._inner.set_protocol(protocol)

    # What the script does (Sink).

    def deliver(self, data: bytes) -> None:
        """Send bytes."""
        self._inner.write(data)

    def finish(self) -> None:
        """FIN."""
        self._inner.close()

    def reset(self) -> None:
        """RST, once the last byte has left."""
        # The kernel empties its buffer in real time, whatever the world's clock shows.
        asyncio.get_running_loop().call_later(RESET_AFTER_S, self._reset)

    def _reset(self) -> None:
        sock = self._inner.get_extra_info("socket")
        if sock is not None and not self._inner.is_closing():
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
        self._inner.abort()


class PlannedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, whose requests carry the way to strike at their connection."""

    _planned: PlannedTransport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        """Put the outflow before the socket."""
        self._planned = PlannedTransport(transport)
        super().connection_made(self._planned)

    def on_message_begin(self) -> None:
        """Put `PlannedTransport.strike` into the request's scope."""
        super().on_message_begin()
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]  # a TypedDict with a key of ours
        scope[STRIKE] = self._planned.strike
