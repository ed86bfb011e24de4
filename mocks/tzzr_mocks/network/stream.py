"""One connection in memory, seen from the client: what httpcore reads from and writes to."""

from __future__ import annotations

import asyncio
import errno
import ssl
from collections.abc import Iterable
from typing import Any

import anyio
import httpcore
from anyio.lowlevel import checkpoint

from tzzr_mocks.network.causes import TLS_ENDS, lost, shake_hands, system_error
from tzzr_mocks.network.link import Link
from tzzr_mocks.network.script import Script

_CHUNK = 65536
SocketOptions = Iterable[Any] | None


class Stream(httpcore.AsyncNetworkStream):
    """The client's end of a link."""

    def __init__(self, link: Link, script: Script) -> None:
        self._link, self._script = link, script

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Bytes from the server; empty after its FIN.

        Raises:
            httpcore.ReadTimeout: none came in time.
            httpcore.ReadError: the connection was reset.
        """
        try:
            with anyio.fail_after(timeout):
                return await self._read(max_bytes)
        except TimeoutError as late:
            raise httpcore.ReadTimeout("") from late

    async def _read(self, max_bytes: int) -> bytes:
        link = self._link
        while not link.incoming:
            if link.broken:
                lost(httpcore.ReadError(""), link.broken)
            if link.ended:
                return b""
            link.news.clear()
            await link.news.wait()
        data = bytes(link.incoming[:max_bytes])
        del link.incoming[:max_bytes]
        link.taken()
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send bytes to the server.

        Raises:
            httpcore.WriteTimeout: the server did not take them in time.
            httpcore.WriteError: the connection was reset or closed.
        """
        try:
            with anyio.fail_after(timeout):
                await checkpoint()  # gives way once, as a socket does
                for start in range(0, len(buffer), _CHUNK):
                    await self._write(buffer[start : start + _CHUNK])
        except TimeoutError as late:
            raise httpcore.WriteTimeout("") from late

    async def _write(self, data: bytes) -> None:
        if self._link.broken:
            lost(httpcore.WriteError(""), self._link.broken)
        if self._link.ended:
            lost(httpcore.WriteError(""), system_error(errno.EPIPE))
        await self._link.arrive(data)

    async def aclose(self) -> None:
        """Hang up."""
        self._link.hang_up()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        """The handshake, as the script has it; no bytes are encrypted in memory.

        Raises:
            httpcore.ConnectError: it failed.
            httpcore.ConnectTimeout: it did not end in time.
        """
        end = self._script.tls
        if end == "hang":
            await _unanswered_hello(timeout)
        elif end is not None:
            TLS_ENDS[end]()
        return self

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks of a connection: whether it can be read, and its two addresses."""
        link = self._link
        if info == "is_readable":
            return bool(link.incoming) or link.ended or link.broken is not None
        names = {"client_addr": "peername", "server_addr": "sockname"}
        return link.get_extra_info(names[info]) if info in names else None


async def silence(timeout: float | None) -> None:
    """Nobody answers while a connection is made.

    Raises:
        httpcore.ConnectTimeout: after ``timeout`` seconds.
    """
    try:
        with anyio.fail_after(timeout):
            await asyncio.Event().wait()
    except TimeoutError as late:
        raise httpcore.ConnectTimeout("") from late


async def _unanswered_hello(timeout: float | None) -> None:
    """`silence` in the middle of a handshake, which is where a socket's client waits."""
    try:
        with anyio.fail_after(timeout):
            try:
                shake_hands(b"")
            except ssl.SSLWantReadError:
                await asyncio.Event().wait()
    except TimeoutError as late:
        raise httpcore.ConnectTimeout("") from late
