"""Waiting for something, but not for ever, on the world's clock and no other."""

from __future__ import annotations

import asyncio
from typing import Any

from tzzr_mcp.seams import Clock


async def at_most(seconds: float, clock: Clock, coming: asyncio.Future[Any]) -> bool:
    """Wait for ``coming`` at most ``seconds``; whether it is done. It is not cancelled when it is not."""
    timer = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({timer, coming}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()
    return coming.done()
