"""Two machines in one: network namespaces with a cable between them, and real addresses at its ends.

Made with ``unshare`` and ``ip`` in a user namespace, so that no privilege is needed where the kernel allows that.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tzzr_mcp.seams import SystemClock

ROOT = Path(__file__).parents[3]
LOOK_EVERY_S = 0.05
PATIENCE_S = 60.0


class NoMachines(Exception):
    """This system lets nobody make network namespaces; the message is its own word."""


@dataclass(frozen=True)
class Machine:
    """One network namespace: that of the process ``pid``."""

    pid: int
    address: str

    def inside(self, *words: str) -> list[str]:
        """The command that runs ``words`` in it."""
        return ["nsenter", "-t", str(self.pid), "-U", "-n", "--preserve-credentials", *words]

    @asynccontextmanager
    async def running(self, *words: str) -> AsyncIterator[Process]:
        """A Python program in it, killed at the end of the block."""
        command = self.inside(sys.executable, *words)
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        try:
            yield process
        finally:
            await ended(process)

    async def output(self, *words: str) -> tuple[int, str]:
        """The exit code of a Python program in it, and what it printed."""
        async with self.running(*words) as process:
            out, err = await process.communicate()
        return process.returncode or 0, (out + err).decode()

    async def listens(self, port: int) -> None:
        """Wait until something in it listens on ``port``."""
        wanted = f":{port:04X} "
        await _until(lambda: any(wanted in line and " 0A " in line for line in self._sockets()))

    def _sockets(self) -> list[str]:
        return Path(f"/proc/{self.pid}/net/tcp").read_text(encoding="ascii").splitlines()


@asynccontextmanager
async def two_machines() -> AsyncIterator[tuple[Machine, Machine]]:
    """Two machines, joined.

    Raises:
        NoMachines: they cannot be made here.
    """
    if any(shutil.which(tool) is None for tool in ("unshare", "nsenter", "ip")):
        raise NoMachines("unshare, nsenter or ip is not installed")
    async with AsyncExitStack() as stack:
        first = Machine(await _namespace(stack, ["unshare", "-Urn"]), "10.99.0.1")
        second = Machine(await _namespace(stack, first.inside("unshare", "-n")), "10.99.0.2")
        await _do(first.inside("ip", "link", "add", "cable0", "type", "veth", "peer", "name", "cable1"))
        await _do(first.inside("ip", "link", "set", "cable1", "netns", str(second.pid)))
        for machine, end in ((first, "cable0"), (second, "cable1")):
            await _do(machine.inside("ip", "address", "add", f"{machine.address}/24", "dev", end))
            await _do(machine.inside("ip", "link", "set", end, "up"))
            await _do(machine.inside("ip", "link", "set", "lo", "up"))
        yield first, second


async def ended(process: Process) -> None:
    """Kill ``process`` if it still runs, and wait for its end."""
    if process.returncode is None:
        process.kill()
    await process.wait()


async def _namespace(stack: AsyncExitStack, words: list[str]) -> int:
    """The process that holds a new network namespace: ``cat``, which reads from us until we go."""
    process = await asyncio.create_subprocess_exec(*words, "cat", stdin=PIPE, stderr=PIPE)
    stack.push_async_callback(ended, process)
    await _until(lambda: process.returncode is not None or _program(process.pid) == "cat")
    if process.returncode is not None:
        assert process.stderr is not None
        raise NoMachines((await process.stderr.read()).decode().strip())
    return process.pid


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="ascii").strip()
    except OSError:
        return ""


async def _do(words: list[str]) -> None:
    process = await asyncio.create_subprocess_exec(*words, stderr=PIPE)
    _, err = await process.communicate()
    if process.returncode:
        raise NoMachines(err.decode().strip())


async def _until(holds: Callable[[], bool]) -> None:
    clock = SystemClock()
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await clock.sleep(LOOK_EVERY_S)
