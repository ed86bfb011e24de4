"""Serving until somebody has had enough."""

from __future__ import annotations

import asyncio
import signal


async def interrupted() -> None:
    """Return at Ctrl-C, or when the process is asked to end."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await stopped.wait()
