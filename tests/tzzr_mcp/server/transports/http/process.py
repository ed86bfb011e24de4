"""The server as a process of its own on a loopback port, as an operator starts it."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[5]
LIMIT = 120
"""Seconds after which a test gives up: only against hanging for ever, on however busy a machine."""
LISTENING = re.compile(r"listening on (http://\S+):(\d+):")


@dataclass
class Process:
    """A server that listens. ``told`` is what it has logged so far."""

    process: asyncio.subprocess.Process
    told: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def origin(self) -> str:
        """Where it is reached from this machine."""
        return f"http://127.0.0.1:{self.port}"

    async def read_until(self, pattern: str) -> re.Match[str]:
        """Read the log up to a line that holds ``pattern``."""
        assert self.process.stderr is not None
        while line := (await self.process.stderr.readline()).decode():
            self.told.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"{pattern!r} was not logged: {''.join(self.told)}")

    async def end(self, number: int) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        assert self.process.stderr is not None
        self.told.append((await self.process.stderr.read()).decode())
        return await self.process.wait()


@asynccontextmanager
async def started(*words: str, **environ: str) -> AsyncIterator[Process]:
    """A server with these arguments, once it listens; killed if a test leaves it alive."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tzzr_mcp", *words, cwd=ROOT, env={**os.environ, **environ}, stdin=pipe, stdout=pipe,
        stderr=pipe,
    )  # fmt: skip
    server = Process(process)
    try:
        async with asyncio.timeout(LIMIT):
            server.port = int((await server.read_until(LISTENING.pattern))[2])
            yield server
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
