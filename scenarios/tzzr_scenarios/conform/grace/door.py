"""How an S-CONTRACT service is reached: as the worker of a RunPod queue, or by plain HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import httpx

from tzzr_mcp.seams import Clock
from tzzr_scenarios.conform.shell import curl_line

FINAL: Final = frozenset({"COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"})
_PAUSE_S = 0.5
_BUSY_TRIES = 5


class Unreachable(Exception):
    """Nobody answers, or nobody who lets us in; the message says which and what to do."""


AT_RUNPOD: Final = "is --url the root of the endpoint, with its id? A service without RunPod's queue takes --plain"
AT_PLAIN: Final = "is --url the address that takes the POST?"
"""What to ask oneself when a service refuses to be asked."""


def held_open(base: str, status: int, mend: str) -> None:
    """Go on when a service lets us in.

    Raises:
        Unreachable: it refuses the key, or is not at this address; ``mend`` is then the question to ask oneself.
    """
    if status in (401, 403):
        raise Unreachable(f"{base} answers {status}: the key of --key or RUNPOD_API_KEY opens nothing")
    if 300 <= status < 500 and status != 429:
        raise Unreachable(f"{base} answers {status}: {mend}")


@dataclass(frozen=True)
class Reply:
    """What an HTTP request was answered, and the request as a line for a shell."""

    request: str
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """The body decoded, or None when it is not JSON."""
        try:
            return json.loads(self.content)
        except ValueError:
            return None

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True)
class Delivery:
    """What came of one S-CONTRACT request: the output, or why there is none."""

    reply: Reply
    output: Any = None
    trouble: str = ""


class Door(Protocol):
    """Takes S-CONTRACT requests to the service."""

    way: str

    async def deliver(self, request: Mapping[str, Any]) -> Delivery:
        """Send one request and wait for its output."""
        ...


@dataclass
class Line:
    """HTTP requests below one address. ``secret`` is never shown: ``${RUNPOD_API_KEY}`` stands for it."""

    base: str
    client: httpx.AsyncClient
    clock: Clock
    secret: str | None = None
    wait_s: float = 120.0

    async def ask(
        self, method: str, path: str, body: Any = None, *, key: str | None = "", raw: bytes | None = None
    ) -> Reply:
        """One request; ``body`` as JSON, ``raw`` as it is. ``key`` is another ``Authorization``, None is none.

        Raises:
            Unreachable: no connection.
        """
        url = self.base + path
        headers = {"content-type": "application/json"} if body is not None or raw is not None else {}
        if authorization := (f"Bearer {self.secret}" if key == "" and self.secret else key):
            headers["authorization"] = authorization
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        line = curl_line(method, url, headers, content.decode("utf-8", "replace"), self.secret)
        for _ in range(_BUSY_TRIES):
            reply = await self._send(method, url, headers, content)
            if reply.status_code not in (429, 503):
                break
            await self.clock.sleep(_pause_s(reply))
        return Reply(line, reply.status_code, dict(reply.headers), reply.content)

    async def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes) -> httpx.Response:
        try:
            return await self.client.request(method, url, headers=headers, content=content or None)
        except httpx.TransportError as error:
            told = str(error) or type(error).__name__
            raise Unreachable(f"nobody answers at {self.base} ({told}); is it up, and is the address right?") from error


def _pause_s(reply: httpx.Response) -> float:
    try:
        return min(float(reply.headers.get("retry-after", 1)), 30.0)
    except ValueError:
        return 1.0


@dataclass
class RunPodDoor:
    """The worker of a RunPod endpoint: ``/runsync``, and ``/status`` until the job has ended."""

    line: Line
    way: str = "runpod"

    async def deliver(self, request: Mapping[str, Any]) -> Delivery:
        """Send one request and wait for its output."""
        reply = await self.line.ask("POST", "/runsync?wait=60000", {"input": request})
        job = await self._ended(reply)
        if not isinstance(job, dict):
            return Delivery(reply, trouble=f"HTTP {reply.status}, {reply.media_type or 'no media type'}")
        if "output" not in job:
            return Delivery(reply, trouble=f"the job is {job.get('status')} and has no output: {job.get('error', '')}")
        output = job["output"]
        return Delivery(reply, output[-1] if isinstance(output, list) and output else output)

    async def _ended(self, reply: Reply) -> Any:
        job, until = reply.json, self.line.clock.monotonic() + self.line.wait_s
        while isinstance(job, dict) and "id" in job and job.get("status") not in FINAL:
            if self.line.clock.monotonic() > until:
                break
            await self.line.clock.sleep(_PAUSE_S)
            job = (await self.line.ask("GET", f"/status/{job['id']}")).json
        return job if reply.status == 200 else None


@dataclass
class PlainDoor:
    """A service that takes a request as the body of a POST and answers with the response as the body."""

    line: Line
    way: str = "http"

    async def deliver(self, request: Mapping[str, Any]) -> Delivery:
        """Send one request; its answer."""
        reply = await self.line.ask("POST", "", request)
        if reply.json is None:
            return Delivery(reply, trouble=f"HTTP {reply.status}, and the body is not JSON")
        return Delivery(reply, reply.json)
