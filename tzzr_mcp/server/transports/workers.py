"""Several processes on one port, each a whole server; one that dies is started again."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace

from tzzr_mcp.seams import Clock, SystemClock
from tzzr_mcp.server.transports.how import How
from tzzr_mcp.server.transports.signals import signals
from tzzr_mcp.settings import EX_CONFIG

log = logging.getLogger(__name__)

WORKER = "tzzr_mcp.server.worker"
AGAIN_S = 1.0
"""Seconds before a worker that died is started again."""


class Workers:
    """The processes that share ``listener``. ``environ`` is their environment."""

    def __init__(self, listener: socket.socket, how: How, environ: Mapping[str, str], clock: Clock) -> None:
        self._descriptor = listener.fileno()
        self._environ = dict(environ)
        self._command = [sys.executable, "-m", WORKER, json.dumps(asdict(replace(how, worker_socket=self._descriptor)))]
        self._clock = clock
        self._alive: set[asyncio.subprocess.Process] = set()
        self._ending = False

    async def keep_one(self) -> int:
        """Keep one worker alive; its exit code once it must not be started again."""
        while True:
            worker = await asyncio.create_subprocess_exec(
                *self._command, env=self._environ, pass_fds=[self._descriptor]
            )
            self._alive.add(worker)
            code = await worker.wait()
            self._alive.discard(worker)
            if self._ending or code == EX_CONFIG:
                return code
            log.warning("worker %d ended with code %d, another one is started", worker.pid, code)
            await self._clock.sleep(AGAIN_S)

    def end(self, number: int) -> None:
        """Pass a signal on; nobody is started again."""
        self._ending = True
        for worker in self._alive:
            worker.send_signal(number)


async def supervise(listener: socket.socket, how: How, environ: Mapping[str, str]) -> int:
    """Run ``how.workers`` processes until a signal comes; the exit code. A second signal ends at once."""
    workers = Workers(listener, how, environ, SystemClock())
    keeping = [asyncio.create_task(workers.keep_one()) for _ in range(how.workers)]
    with signals() as signalled:
        await asyncio.wait([*keeping, signalled], return_when=asyncio.FIRST_COMPLETED)
        workers.end(signalled.result() if signalled.done() else signal.SIGTERM)
        codes = await asyncio.gather(*keeping)
    return 128 + signalled.result() if signalled.done() else next((code for code in codes if code), EX_CONFIG)
