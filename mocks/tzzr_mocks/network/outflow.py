"""The bytes of a reply on their way to the client, as a script lets them through: in memory and on a socket alike."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from tzzr_mocks.network.script import Break, Script

_HEAD_END = b"\r\n\r\n"


class Sink(Protocol):
    """Where the bytes go."""

    def deliver(self, data: bytes) -> None:
        """Give these bytes to the client."""
        ...

    def finish(self) -> None:
        """Close the connection in good order (FIN)."""
        ...

    def reset(self) -> None:
        """Break the connection off (RST)."""
        ...


class Outflow:
    """Counts the bytes of one connection's replies and ends them where the script says."""

    def __init__(self, sink: Sink, script: Script | None = None) -> None:
        self._sink = sink
        self._pending: deque[bytes] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._closing = False
        self.follow(script or Script())

    def follow(self, script: Script) -> None:
        """Act out this script from the next byte on, which begins a reply."""
        self._script = script
        self._head = bytearray()
        self._in_body = False
        self._passed = 0
        self._over = False

    def write(self, data: bytes) -> None:
        """Take bytes from the server."""
        if self._over or self._closing:
            return
        if self._script.raw is not None:
            self._sink.deliver(self._script.raw)
            self._end("close")
        elif self._script.drip is not None:
            size = self._script.drip.size
            self._pending.extend(data[place : place + size] for place in range(0, len(data), size))
            if self._timer is None:
                self._drip()
        else:
            self._pass_on(data)

    def close(self) -> None:
        """The server closes; what still drips is delivered first. What the script has ended stays as it is."""
        self._closing = True
        if not self._pending and not self._over:
            self._sink.finish()

    def stop(self) -> None:
        """Nobody listens any more."""
        self._over = True
        self._pending.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _drip(self) -> None:
        self._timer = None
        if not self._pending or self._over or self._script.drip is None:
            if self._closing and not self._over:
                self._sink.finish()
            return
        self._pass_on(self._pending.popleft())
        # On the loop's time, not the world's: a clock that is frozen stops the services, not the network.
        self._timer = asyncio.get_running_loop().call_later(self._script.drip.seconds, self._drip)

    def _pass_on(self, data: bytes) -> None:
        broken = self._script.broken
        if broken is None:
            self._sink.deliver(data)
            return
        for part, piece in self._parted(data):
            if self._over or not piece:
                continue
            if broken.part == part:
                self._cut(piece, broken)
            else:
                self._sink.deliver(piece)

    def _cut(self, piece: bytes, broken: Break) -> None:
        room = broken.after - self._passed
        self._passed += len(piece)
        if kept := piece[: max(0, room)]:
            self._sink.deliver(kept)
        if len(piece) >= room:
            self._end(broken.end)

    def _parted(self, data: bytes) -> list[tuple[str, bytes]]:
        """``data`` as bytes of the head and bytes of the body."""
        if self._in_body:
            return [("body", data)]
        known = len(self._head)
        self._head += data
        end = self._head.find(_HEAD_END)
        if end < 0:
            return [("head", data)]
        self._in_body = True
        split = end + len(_HEAD_END) - known
        return [("head", data[:split]), ("body", data[split:])]

    def _end(self, end: str) -> None:
        self._over = True
        self._pending.clear()
        if end == "reset":
            self._sink.reset()
        elif end == "close":
            self._sink.finish()
