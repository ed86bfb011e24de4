"""Lines over file descriptors: read in one thread that nobody waits for, written one after the other.

The SDK's own stdio transport reads in a worker thread that must end before the process can, so a signal does nothing
while stdin stays open. Here the thread is a daemon and reads the descriptor itself: no buffer object, hence no lock
that the interpreter's end could meet.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

AHEAD = 64
"""Lines read before somebody has taken them."""
CHUNK = 1 << 16


class Lines:
    """The lines of ``descriptor``, without their line feed, until its end."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = threading.Semaphore(AHEAD)
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def _read(self) -> None:
        try:
            for line in _split(self._descriptor):
                self._room.acquire()
                self._loop.call_soon_threadsafe(self._queue.put_nowait, line)
            self._loop.call_soon_threadsafe(self._queue.put_nowait, None)
        except RuntimeError:  # the loop is closed: nobody listens any more
            return

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (line := await self._queue.get()) is not None:
            self._room.release()
            yield line


def _split(descriptor: int) -> Iterator[bytes]:
    begun: list[bytes] = []
    while chunk := _chunk(descriptor):
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            yield b"".join([*begun, part])
            begun.clear()
        begun.append(rest)
    if last := b"".join(begun):
        yield last


def _chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, CHUNK)
    except OSError:  # a terminal that went away reads as an error, and is an end
        return b""


async def write_line(descriptor: int, line: bytes) -> None:
    """Write all of ``line`` and a line feed, in a thread, because the reader may be slow.

    Raises:
        OSError: nobody reads any more.
    """
    await asyncio.to_thread(_write, descriptor, line + b"\n")


def _write(descriptor: int, line: bytes) -> None:
    view = memoryview(line)
    while view:
        view = view[os.write(descriptor, view) :]


@contextmanager
def claimed_stdio() -> Iterator[tuple[int, int]]:
    """Private descriptors of stdin and stdout; meanwhile what prints goes to stderr and what reads finds an end."""
    sys.stdout.flush()
    own = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield own
    finally:
        sys.stdout.flush()
        for number, descriptor in enumerate(own):
            os.dup2(descriptor, number)
