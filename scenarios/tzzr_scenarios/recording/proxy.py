"""Between a client and a server on stdio: every byte passed on as it is, every line told to a tape.

The tape is told first, so that an answer never stands before its request.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import IO, Final

from tzzr_scenarios.recording.tape import Sender, Tape

CHUNK: Final = 1 << 16
LONGEST_LINE: Final = 64 << 20
"""Bytes of a line that are held until it ends; a longer one is passed on, and only its beginning is told."""


class Lines:
    """Puts the chunks of one side together to the lines that the tape is told."""

    def __init__(self, tape: Tape, sender: Sender) -> None:
        self._tape, self._sender = tape, sender
        self._begun = bytearray()

    def take(self, chunk: bytes) -> None:
        """Take note of bytes that were passed on."""
        *ended, begun = chunk.split(b"\n")
        for rest in ended:
            self._tape.note(self._sender, bytes(self._begun) + rest)
            self._begun.clear()
        self._begun += begun[: max(0, LONGEST_LINE - len(self._begun))]

    def end(self) -> None:
        """The side has ended; what it began is told too."""
        self._tape.note(self._sender, bytes(self._begun))


def pass_through(
    command: Sequence[str], environ: Mapping[str, str], tape: Tape, stdin: int = 0, stdout: int = 1
) -> int:
    """Start the server and stand between it and the client until it ends; its exit code, as a shell gives it.

    A signal to end is passed on to the server, and the end of the client's side is the end of the server's input.

    Raises:
        OSError: the command cannot be started.
    """
    with (
        subprocess.Popen(  # noqa: S603 - the command is the user's own
            list(command), env=dict(environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        ) as server,
        _signals_for(server),
    ):
        assert server.stdin is not None  # noqa: S101 - it is a pipe
        assert server.stdout is not None  # noqa: S101
        threading.Thread(target=_from_client, args=(stdin, server.stdin, tape), name="client", daemon=True).start()
        if not _pump(server.stdout.fileno(), functools.partial(os.write, stdout), Lines(tape, "server")):
            server.terminate()
            server.stdout.close()
        code = server.wait()
    return code if code >= 0 else 128 - code


def _from_client(stdin: int, server: IO[bytes], tape: Tape) -> None:
    _pump(stdin, server.write, Lines(tape, "client"))
    with contextlib.suppress(OSError):
        server.close()


def _pump(source: int, write: Callable[[memoryview], int], lines: Lines) -> bool:
    """Pass on until the source ends; false when the other side takes no more."""
    try:
        while chunk := os.read(source, CHUNK):
            lines.take(chunk)
            left = memoryview(chunk)
            while left:
                left = left[write(left) :]
    except (OSError, ValueError):  # its pipe is broken, or was closed when the server had ended
        return False
    finally:
        lines.end()
    return True


@contextlib.contextmanager
def _signals_for(server: subprocess.Popen[bytes]) -> Iterator[None]:
    """SIGTERM and SIGHUP go on to the server. Ctrl+C reaches the whole group, so the server has it already."""

    def hand_on(number: int, frame: FrameType | None) -> None:
        server.send_signal(number)

    def leave_it(number: int, frame: FrameType | None) -> None:
        """The server ends, and then so does this."""

    handlers = {signal.SIGTERM: hand_on, signal.SIGINT: leave_it}
    if hasattr(signal, "SIGHUP"):
        handlers[signal.SIGHUP] = hand_on
    former = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
