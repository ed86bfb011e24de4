"""Answers that the recordings' stub gave and that no platform was seen to give, put in the fake's on their way out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tzzr_mocks.control.asgi import ASGIApp, RawHeaders, Receive, Scope, Send, change_reply

Reply = tuple[int, RawHeaders, bytes]


def _json(status: int, document: Any) -> Reply:
    return status, [(b"content-type", b"application/json")], json.dumps(document).encode()


class SplitFinal:
    """Says COMPLETED while one chunk is still to come, as runpod.md §1 forbids: two chunks are shown at a time."""

    def __init__(self) -> None:
        self._left: list[Any] = []

    def __call__(self, status: int, headers: RawHeaders, body: bytes) -> Reply:
        """Change one answer of ``/stream``; others stay."""
        document = json.loads(body)
        if "stream" not in document:
            return status, headers, body
        chunks = [*self._left, *document["stream"]]
        self._left = chunks[2:]
        return _json(status, {**document, "stream": chunks[:2]})


def _with_bad_chunks(status: int, headers: RawHeaders, body: bytes) -> Reply:
    document = json.loads(body)
    if document.get("stream"):
        document["stream"] = [{"error": "bad"}]
    return _json(status, document)


def altered() -> dict[str, Callable[[int, RawHeaders, bytes], Reply]]:
    """What becomes of the answers of each such endpoint."""
    return {
        "e201": lambda status, headers, body: (201, headers, body),
        "e204": lambda status, headers, body: (204, [], b""),
        "errbody200": lambda status, headers, body: _json(200, {"error": "job not found"}),
        "noid_ever": lambda status, headers, body: _json(200, {"status": "IN_QUEUE"}),
        "splitfinal": SplitFinal(),
        "chunkerr": _with_bad_chunks,
    }


def before(fake: ASGIApp) -> ASGIApp:
    """The fake, and before it what alters the answers of some endpoints."""
    apps = {name: change_reply(fake, change) for name, change in altered().items()}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        _, _, endpoint, *_ = f"{scope['path']}///".split("/")
        await apps.get(endpoint, fake)(scope, receive, send)

    return app
