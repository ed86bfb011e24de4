"""SIGINT and SIGTERM: the first asks the server to end, a second one ends it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

log = logging.getLogger(__name__)

SIGNAL_PATIENCE_S = 5.0
"""After a signal, seconds for the calls in flight before they are cancelled. A second signal ends at once."""


@contextmanager
def signals() -> Iterator[asyncio.Future[int]]:
    """A future that the first SIGINT or SIGTERM resolves with its number; a second one ends the process."""
    loop = asyncio.get_running_loop()
    signalled: asyncio.Future[int] = loop.create_future()

    def arrived(number: int) -> None:
        if signalled.done():
            os._exit(128 + number)
        log.info("%s: ending", signal.Signals(number).name)
        signalled.set_result(number)

    numbers = (signal.SIGINT, signal.SIGTERM)
    with suppress(NotImplementedError):  # Windows' loops know no signal handlers; there Ctrl+C interrupts as usual
        for number in numbers:
            loop.add_signal_handler(number, arrived, number)
    try:
        yield signalled
    finally:
        with suppress(NotImplementedError):
            for number in numbers:
                loop.remove_signal_handler(number)
