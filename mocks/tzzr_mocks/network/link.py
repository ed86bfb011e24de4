"""One connection in memory, seen from the server: the transport that uvicorn's protocol writes to and reads from."""

from __future__ import annotations

import asyncio
import contextvars
import errno
from collections import deque
from collections.abc import Callable
from typing import Any

from tzzr_mocks.network.causes import system_error
from tzzr_mocks.network.outflow import Outflow
from tzzr_mocks.network.script import Script

HIGH_WATER = 65536
"""Bytes that may wait for the client before the server is told to pause."""


class Link(asyncio.Transport):
    """The server's end. The client's end is `tzzr_mocks.network.stream.Stream`, which shares `incoming`."""

    def __init__(
        self, protocol: Callable[[], Any], script: Script, peer: tuple[str, int], name: tuple[str, int]
    ) -> None:
        super().__init__({"peername": peer, "sockname": name, "sslcontext": None, "socket": None})
        self.incoming = bytearray()
        self.ended = False
        self.broken: OSError | None = None
        self.news = asyncio.Event()
        self._outflow = Outflow(self, script)
        self._closing = False
        self._lost = False
        self._paused = False
        self._reading = asyncio.Event()
        self._reading.set()
        self._queue: deque[bytes] = deque()
        self._context = contextvars.Context()
        self._protocol = protocol()
        self._context.run(self._protocol.connection_made, self)

    # What the server calls.

    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._closing

    def set_protocol(self, protocol: Any) -> None:
        """Change who is told of what arrives."""
        self._protocol = protocol

    def get_protocol(self) -> Any:
        """Who is told of what arrives."""
        return self._protocol

    def pause_reading(self) -> None:
        """Let the client's bytes wait."""
        self._reading.clear()

    def resume_reading(self) -> None:
        """Take the client's bytes again, those that have waited first."""
        self._reading.set()
        while self._queue and self._reading.is_set():
            self._context.run(self._protocol.data_received, self._queue.popleft())

    def is_reading(self) -> bool:
        """Whether the client's bytes are taken."""
        return self._reading.is_set()

    def write(self, data: bytes | bytearray | memoryview[int]) -> None:
        """Send to the client, through the script."""
        if not self._closing:
            self._outflow.write(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        """Send several pieces as one."""
        self.write(b"".join(list_of_data))

    def can_write_eof(self) -> bool:
        """No half-closed connections."""
        return False

    def close(self) -> None:
        """Close once everything is sent."""
        if not self._closing:
            self._closing = True
            self._outflow.close()

    def abort(self) -> None:
        """Break off."""
        self.reset()

    # What the script does (Sink).

    def deliver(self, data: bytes) -> None:
        """Bytes have reached the client."""
        self.incoming += data
        self.news.set()
        if len(self.incoming) > HIGH_WATER and not self._paused:
            self._paused = True
            self._protocol.pause_writing()

    def finish(self) -> None:
        """FIN has reached the client."""
        self.ended = self._closing = True
        self.news.set()
        self._tell_lost(None)

    def reset(self) -> None:
        """RST has reached the client."""
        self.broken = system_error(errno.ECONNRESET)
        self._closing = True
        self.news.set()
        self._tell_lost(self.broken)

    def _tell_lost(self, error: OSError | None) -> None:
        if not self._lost:
            self._lost = True
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, error, context=self._context)

    # What the client does.

    def taken(self) -> None:
        """The client has taken bytes out of `incoming`."""
        if self._paused and len(self.incoming) < HIGH_WATER // 4:
            self._paused = False
            self._protocol.resume_writing()

    async def arrive(self, data: bytes) -> None:
        """The client's bytes arrive; waits while the server does not read."""
        if self._closing:
            return
        if self._reading.is_set():
            self._context.run(self._protocol.data_received, data)
        else:
            self._queue.append(data)
            await self._reading.wait()

    def hang_up(self) -> None:
        """The client has closed."""
        self._closing = self.ended = True
        self._outflow.stop()
        self._tell_lost(None)
