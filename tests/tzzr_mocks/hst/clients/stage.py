"""The fake with the recorded rows on a loopback port, in a thread of its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from tzzr_mcp.seams import Dice, Seams, SystemClock
from tzzr_mocks.control import Control, Exchange
from tzzr_mocks.hst import HstFake


@dataclass
class Stage:
    """The running fake: where it is, and what it was asked."""

    base: str
    fake: HstFake

    @property
    def asked(self) -> list[Exchange]:
        """Every request so far."""
        return list(self.fake.control.journal)


@contextmanager
def open_stage(*faults: dict[str, Any]) -> Iterator[Stage]:
    """A fake of its own, with faults from the start."""
    fake = HstFake(Control("hst", Seams(SystemClock(), Dice(7))), starting="recorded")
    for fault in faults:
        fake.control.plan.add(fault)
    server = uvicorn.Server(uvicorn.Config(fake.app, log_level="warning", lifespan="off", timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield Stage(f"http://127.0.0.1:{listener.getsockname()[1]}", fake)
        finally:
            server.should_exit = True
            thread.join(30)
