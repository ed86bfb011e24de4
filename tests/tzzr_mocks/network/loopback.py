"""Small servers on loopback sockets, each of which does one thing wrong."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from tzzr_mcp.seams import SystemClock

BODY = b'{"text":"' + b"x" * 989 + b'"}'
HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\ncontent-type: application/json\r\n\r\n"
assert len(BODY) == 1000

Conduct = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def reset(writer: asyncio.StreamWriter) -> None:
    """RST instead of FIN."""
    sock: socket.socket = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def pause() -> None:
    """Time enough for what was sent to arrive: a RST would overtake it."""
    await SystemClock().sleep(0.03)


async def reset_before_headers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    reset(writer)


async def reset_in_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(HEAD + BODY[:10])
    await pause()
    reset(writer)


async def hang_before_headers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def hang_in_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(HEAD + BODY[:10])
    await reader.read()


async def truncated_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(HEAD + BODY[:10])


async def slow_drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    for piece in (HEAD, BODY[:400], BODY[400:]):
        writer.write(piece)
        await pause()


async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")


async def end_of_file(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65536)


async def reset_at_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    reset(writer)


@asynccontextmanager
async def serving(conduct: Conduct) -> AsyncIterator[int]:
    """A server with this conduct; yields its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await conduct(reader, writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@asynccontextmanager
async def nobody() -> AsyncIterator[int]:
    """A port on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    yield port


@asynccontextmanager
async def full_backlog() -> AsyncIterator[int]:
    """A port whose queue of connections is full, so that the next one waits for ever."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        async with AsyncExitStack() as stack:
            for _ in range(2):
                waiting = stack.enter_context(socket.socket())
                waiting.setblocking(False)
                with suppress(BlockingIOError):
                    waiting.connect(listening.getsockname())
            yield listening.getsockname()[1]
