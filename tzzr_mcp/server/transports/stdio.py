"""MCP over stdin and stdout: what Claude Desktop starts.

Beyond what the SDK's transport does: SIGINT and SIGTERM end the process although stdin is open; at the end of stdin
the requests already read are still answered; a line that is no message is answered too.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import anyio
from mcp import types as t
from mcp.shared.message import SessionMessage

from tzzr_mcp.server.build import TzzrServer
from tzzr_mcp.server.transports.inflight import InFlight
from tzzr_mcp.server.transports.lines import Lines, write_line
from tzzr_mcp.server.transports.messages import NotAMessage, encoded, parsed
from tzzr_mcp.server.transports.signals import SIGNAL_PATIENCE_S, signals

log = logging.getLogger(__name__)

EOF_PATIENCE_S = 10.0
"""After the end of stdin, seconds for the requests in flight: a client that pipes its requests in gets its answers,
and one that has died is not worked for much longer."""
FLUSH_S = 1.0


async def serve_stdio(server: TzzrServer, stdin: int, stdout: int) -> int:
    """Serve over two descriptors (see `claimed_stdio`) until the first one ends or a signal comes.

    Returns the process's exit code: 0, or 128 plus the signal's number.
    """
    with signals() as signalled:
        async with server:
            return await Wire(stdin, stdout).serve(server, signalled)


class Wire:
    """One connection over a pair of descriptors."""

    def __init__(self, stdin: int, stdout: int) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._to_server, self._received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self._sent, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)
        self._answers = self._sent.clone()
        self._in_flight = InFlight()
        self._changed = asyncio.Condition()
        self._gone = asyncio.Event()

    async def serve(self, server: TzzrServer, signalled: asyncio.Future[int]) -> int:
        """Serve until the client ends its side or a signal comes; the exit code."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._write)
            group.start_soon(self._run, server)
            code = await self._until_end(signalled)
            if code:
                await server.stop(SIGNAL_PATIENCE_S)
            await self._settle(FLUSH_S if code else EOF_PATIENCE_S)
            self._to_server.close()
            self._answers.close()
        return code

    async def _run(self, server: TzzrServer) -> None:
        await server.mcp.run(self._received, self._sent, server.mcp.create_initialization_options())

    async def _until_end(self, signalled: asyncio.Future[int]) -> int:
        own: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._gone.wait())]
        try:
            await asyncio.wait([*own, signalled], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in own:
                task.cancel()
        return 128 + signalled.result() if signalled.done() else 0

    async def _read(self) -> None:
        async for line in Lines(self._stdin):
            try:
                message = parsed(line)
                if message is not None:
                    self._in_flight.admit(message)
                    await self._to_server.send(SessionMessage(message))
            except NotAMessage as refused:
                log.warning("a line from the client is refused: %s", refused)
                await self._answers.send(SessionMessage(refused.answer))

    async def _write(self) -> None:
        async with self._from_server:
            async for message in self._from_server:
                if not self._gone.is_set():
                    await self._put(message)
                await self._answered(message.message)

    async def _put(self, message: SessionMessage) -> None:
        try:
            await write_line(self._stdout, encoded(message))
        except OSError as error:
            log.info("the client no longer reads: %s", error)
            self._gone.set()

    async def _answered(self, message: t.JSONRPCMessage) -> None:
        self._in_flight.answered(message)
        async with self._changed:
            self._changed.notify_all()

    async def _settle(self, patience_s: float) -> None:
        """Wait until every request has its answer written, or the client is gone, or the time is over."""
        with anyio.move_on_after(patience_s):
            async with self._changed:
                await self._changed.wait_for(lambda: self._gone.is_set() or not self._in_flight.pending)
