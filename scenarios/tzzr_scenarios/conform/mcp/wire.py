"""How a server is reached: messages over Streamable HTTP, or as lines to a process and back."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

import httpx

Json = dict[str, Any]
_LONGEST_LINE = 64 * 2**20
_LAST_LINES = 3
_REFUSED = {"code": -32601, "message": "this client only asks"}


class Unreachable(Exception):
    """Nobody answers; the message says which and what to do."""


class Silent(Exception):
    """The server was reached, and did not answer this message."""


@dataclass(frozen=True)
class Heard:
    """What came back for one message: the response, if any, and over HTTP the status, headers and raw body."""

    message: Json | None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


class Wire(Protocol):
    """One connection to a server."""

    kind: str
    session: str | None

    async def send(self, content: str, headers: Mapping[str, str], *, waits: bool = True) -> Heard:
        """Send the text of a message; wait for its response unless it is a notification.

        Raises:
            Unreachable: nobody is there.
            Silent: no answer came in time.
        """
        ...


@dataclass
class HttpWire:
    """Streamable HTTP: each message is a POST. ``session`` is what a server of the older era named."""

    client: httpx.AsyncClient
    url: str
    token: str | None = None
    kind: str = "http"
    session: str | None = None

    async def send(self, content: str, headers: Mapping[str, str], *, waits: bool = True) -> Heard:
        """One POST, read until the response is there."""
        own = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if self.token:
            own["authorization"] = f"Bearer {self.token}"
        if self.session:
            own["mcp-session-id"] = self.session
        try:
            async with self.client.stream("POST", self.url, content=content, headers={**own, **headers}) as reply:
                return await _heard(reply)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            told = str(error) or type(error).__name__
            raise Unreachable(
                f"nobody answers at {self.url} ({told}); is the server up, and is the path /mcp?"
            ) from error
        except httpx.TransportError as error:
            raise Silent(f"no answer: {type(error).__name__} {error}".strip()) from error


async def _heard(reply: httpx.Response) -> Heard:
    headers = dict(reply.headers)
    if not headers.get("content-type", "").startswith("text/event-stream"):
        body = (await reply.aread()).decode("utf-8", "replace")
        return Heard(_response(body), reply.status_code, headers, body)
    lines: list[str] = []
    async for line in reply.aiter_lines():
        if line.startswith("data:"):
            lines.append(line[5:].lstrip())
        elif not line and lines:
            body = "\n".join(lines)
            lines.clear()
            if (message := _response(body)) is not None:
                return Heard(message, reply.status_code, headers, body)
    return Heard(None, reply.status_code, headers, "")


def _response(text: str) -> Json | None:
    """The message that a text is, when it is a response and no notification or request of the server."""
    try:
        message = json.loads(text)
    except ValueError:
        return None
    return message if isinstance(message, dict) and "method" not in message else None


@dataclass
class StdioWire:
    """A process that reads messages as lines and writes them as lines."""

    process: asyncio.subprocess.Process
    timeout_s: float
    log: IO[bytes]
    kind: str = "stdio"
    session: str | None = None

    async def send(self, content: str, headers: Mapping[str, str], *, waits: bool = True) -> Heard:
        """One line, and the lines that come back up to the response."""
        assert self.process.stdin is not None  # noqa: S101 - it was opened with pipes
        try:
            self.process.stdin.write(content.encode() + b"\n")
            await self.process.stdin.drain()
            if not waits:
                return Heard(None)
            async with asyncio.timeout(self.timeout_s):
                return await self._answer()
        except TimeoutError as late:
            raise Silent(f"no answer within {self.timeout_s:g} s") from late
        except ConnectionError as gone:
            raise Unreachable(self._ended()) from gone

    async def _answer(self) -> Heard:
        assert self.process.stdout is not None  # noqa: S101 - it was opened with pipes
        while line := await self.process.stdout.readline():
            text = line.decode("utf-8", "replace")
            if (message := _response(text)) is not None:
                return Heard(message, body=text)
            await self._refuse(text)
        raise Unreachable(self._ended())

    async def _refuse(self, text: str) -> None:
        """A request of the server's own is answered, so that nobody waits for it."""
        try:
            message = json.loads(text)
        except ValueError as error:
            raise Silent(f"a line on standard output is no message: {text[:200]!r}") from error
        if isinstance(message, dict) and "id" in message:
            refusal = json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": _REFUSED})
            await self.send(refusal, {}, waits=False)

    def _ended(self) -> str:
        self.log.seek(0)
        last = self.log.read().decode("utf-8", "replace").strip().splitlines()[-_LAST_LINES:]
        return "\n  ".join(
            [f"the server ended; the last it said on standard error: {(last or ['nothing'])[0]}", *last[1:]]
        )


@asynccontextmanager
async def started(command: Sequence[str], timeout_s: float) -> AsyncIterator[StdioWire]:
    """A process of a command, ended with the block.

    Raises:
        Unreachable: there is no such command.
    """
    with tempfile.TemporaryFile() as log:
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=log, limit=_LONGEST_LINE
            )
        except OSError as error:
            raise Unreachable(f"{command[0]} cannot be started: {error.strerror}") from error
        try:
            yield StdioWire(process, timeout_s, log)
        finally:
            await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(5):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
