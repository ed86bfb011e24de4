"""The server under test: the plugin conformance over Streamable HTTP on a free loopback port, in its own process."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tzzr_mcp.seams import SystemClock

START_S = 60.0
ASK_EVERY_S = 0.1


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Start the server, and give its URL once it answers; its log is ``folder``/server.log."""
    port = _free_port()
    log = folder / "server.log"
    words = [sys.executable, "-m", "tzzr_mcp", "--transport", "http", "--port", str(port)]
    environ = {**os.environ, "TZZR_PLUGINS": "conformance"}
    with log.open("w", encoding="utf-8") as lines, subprocess.Popen(words, stderr=lines, env=environ) as process:
        try:
            if not asyncio.run(_answers(process, port)):
                sys.exit(f"the server did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")
            yield f"http://localhost:{port}/mcp"
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    clock = SystemClock()
    deadline = clock.monotonic() + START_S
    while process.poll() is None and clock.monotonic() < deadline:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await clock.sleep(ASK_EVERY_S)
        else:
            writer.close()
            return True
    return False
