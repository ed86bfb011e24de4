"""What the rules for MCP ask through: one connection in one era, every question asked once and its answer kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tzzr_scenarios.conform.mcp.wire import Heard, Json, Silent, Unreachable, Wire
from tzzr_scenarios.conform.rule import NotJudged

NOTHING: Final = "(nothing)"
META: Final = "io.modelcontextprotocol"
CLIENT: Final = {"name": "tzzr-conform", "version": "1"}
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose subject goes into the header ``Mcp-Name`` from 2026-07-28 on."""
_PAGES: Final = 100


@dataclass(frozen=True)
class Answer:
    """A message that was sent and what came back, looked at without trust."""

    message: Json
    heard: Heard
    trouble: str = ""

    @property
    def request(self) -> str:
        """The message as it was sent."""
        return json.dumps(self.message, ensure_ascii=False)

    def at(self, *path: str) -> Any:
        """A member of the response, `NOTHING` when it is not there."""
        found: Any = self.heard.message
        for name in path:
            found = found.get(name, NOTHING) if isinstance(found, dict) else NOTHING
        return found

    @property
    def result(self) -> Json:
        """The result. Raises `NotJudged`: there is none."""
        result = self.at("result")
        if not isinstance(result, dict):
            raise NotJudged(self.trouble or f"{self.message.get('method')} gave {shown(self.at('error'))}")
        return result

    def listed(self, name: str) -> list[Json]:
        """A list of objects of the result. Raises `NotJudged`: it is none."""
        found = self.result.get(name)
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise NotJudged(f"{self.message.get('method')} gave no list {name}")
        return found

    @property
    def code(self) -> Any:
        """The code of the JSON-RPC error, `NOTHING` when it is none."""
        return self.at("error", "code")

    @property
    def text(self) -> str:
        """The text blocks of a tool's result, joined."""
        blocks = self.result.get("content")
        listed = blocks if isinstance(blocks, list) else []
        return "\n".join(str(block.get("text", "")) for block in listed if isinstance(block, dict))


def shown(value: Any) -> str:
    """A value in a reason."""
    return "no answer" if value == NOTHING else json.dumps(value, ensure_ascii=False)[:120]


class Probe:
    """Asks one server in one era."""

    def __init__(self, wire: Wire, era: str) -> None:
        self.wire, self.era = wire, era
        self.spoken = False
        self.greeting: Answer | None = None
        self.last: Answer | None = None
        self._number = 0
        self._kept: dict[str, Answer] = {}

    @property
    def ways(self) -> frozenset[str]:
        """The era and the transport."""
        return frozenset({self.era, self.wire.kind})

    @property
    def modern(self) -> bool:
        """Whether the era is stateless, with its facts in every message."""
        return self.era >= "2026"

    def begin(self) -> None:
        """Another rule begins."""
        self.last = None

    async def open(self) -> None:
        """Greet the server; `spoken` says whether it speaks the era.

        Raises:
            Unreachable: nobody is there.
        """
        if self.modern:
            self.greeting = await self.send("server/discover", {})
            versions = self.greeting.at("result", "supportedVersions")
            self.spoken = isinstance(versions, list) and self.era in versions
            return
        self.greeting = await self.send("initialize", hello(self.era))
        self.spoken = self.greeting.at("result", "protocolVersion") == self.era
        self.wire.session = self.greeting.heard.headers.get("mcp-session-id")
        if self.spoken:
            await self.notify("notifications/initialized")

    async def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Answer:
        """The answer to a request; the same one when it was asked before. Raises `NotJudged`: the era is not spoken."""
        if not self.spoken:
            raise NotJudged(f"{self.era} is not spoken; see era.initialize and era.discover")
        mark = json.dumps([method, params], sort_keys=True)
        if mark not in self._kept:
            self._kept[mark] = await self.send(method, dict(params or {}))
        self.last = self._kept[mark]
        return self._kept[mark]

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """The answer to a tool's call."""
        return await self.ask("tools/call", {"name": tool, "arguments": arguments})

    async def every(self, method: str, name: str) -> tuple[list[Json], Answer]:
        """All items of a list, over its pages, and the answer with the first of them."""
        first = answer = await self.ask(method)
        items = list(answer.listed(name))
        for _ in range(_PAGES):
            cursor = answer.result.get("nextCursor")
            if not isinstance(cursor, str):
                break
            answer = await self.ask(method, {"cursor": cursor})
            items += answer.listed(name)
        self.last = first
        return items, first

    def message(self, method: str, params: Json, number: int | str | None = None) -> Json:
        """A request as the era writes it."""
        self._number += 1
        body = {"jsonrpc": "2.0", "id": self._number if number is None else number, "method": method}
        return {**body, "params": {**params, "_meta": self.meta()} if self.modern else params}

    def meta(self) -> Json:
        """What every request of the newer era carries."""
        return {f"{META}/protocolVersion": self.era, f"{META}/clientInfo": CLIENT, f"{META}/clientCapabilities": {}}

    async def send(self, method: str, params: Json) -> Answer:
        """The answer to a request, asked anew."""
        return await self.deliver(self.message(method, params))

    async def deliver(self, message: Json, headers: Mapping[str, str] | None = None) -> Answer:
        """The answer to a message as it is; ``headers`` join those of the era, or replace them."""
        try:
            heard = await self.wire.send(json.dumps(message), {**self.headers(message), **(headers or {})})
            told = f"HTTP {heard.status}: {heard.body[:120]!r}" if heard.message is None else ""
        except Silent as silent:
            heard, told = Heard(None, status=0), str(silent)
        self.last = Answer(message, heard, told)
        return self.last

    async def notify(self, method: str) -> Answer:
        """Send a notification."""
        message = {"jsonrpc": "2.0", "method": method}
        heard = await self.wire.send(json.dumps(message), self.headers(message), waits=False)
        self.last = Answer(message, heard)
        return self.last

    def headers(self, message: Json) -> dict[str, str]:
        """The headers that the era wants over HTTP."""
        method = str(message.get("method", ""))
        if not self.modern:
            return {"mcp-protocol-version": self.era} if method != "initialize" else {}
        headers = {"mcp-protocol-version": self.era, "mcp-method": method}
        subject = message.get("params", {}).get(_NAMED.get(method, ""))
        return {**headers, "mcp-name": str(subject)} if subject is not None else headers


def hello(version: str) -> Json:
    """The parameters of ``initialize``."""
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}


__all__ = ["META", "NOTHING", "Answer", "Probe", "Unreachable", "hello", "shown"]
