"""Recordings as a client and a server would leave them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HEAD: Mapping[str, Any] = {
    "recording": 1,
    "by": "tzzr 0",
    "begun": "2026-01-04T10:00:00+00:00",
    "command": ["mcp-server-tzzr", "--offline"],
    "settings": {},
}


class Recorded:
    """A recording that a test writes: ``asks`` and its answer, each a tenth of a second after the other."""

    def __init__(self, **head: Any) -> None:
        self.rows: list[dict[str, Any]] = [{**HEAD, **head}]
        self._number = 0
        self._at = 0.0

    def says(self, sender: str, message: Any) -> None:
        """One message of one side."""
        self._at += 0.1
        self.rows.append({"at": round(self._at, 3), "from": sender, "message": message})

    def asks(self, method: str, **params: Any) -> int:
        """A request of the client; its id."""
        self._number += 1
        self.says("client", {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def answers(self, number: int, **result: Any) -> None:
        """The server's result of a request."""
        self.says("server", {"jsonrpc": "2.0", "id": number, "result": result})

    def fails(self, number: int, code: int) -> None:
        """The server's JSON-RPC error for a request."""
        self.says("server", {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": "no"}})

    def calls(self, tool: str, answer: Mapping[str, Any], **arguments: Any) -> None:
        """A call and its result."""
        self.answers(self.asks("tools/call", name=tool, arguments=arguments), **answer)

    def written(self, folder: Path, name: str = "session.jsonl") -> Path:
        """The file."""
        path = folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in self.rows), encoding="utf-8")
        return path


def answer(text: str, data: Any, **meta: Any) -> dict[str, Any]:
    """A tool's result."""
    structured = {"source": {"name": "GRACE/HASHER", "kind": "service"}, "data": data}
    marked = {f"tzzr/{name}": value for name, value in meta.items()}
    return {"content": [{"type": "text", "text": text}], "structuredContent": structured, "_meta": marked}
