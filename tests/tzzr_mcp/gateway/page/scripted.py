"""A gateway that says what a test wrote down: the API's shapes without model, server or loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from tzzr_mcp.gateway.events import DoneEvent, Event, Message, TextEvent, ToolEvent, Usage, as_json
from tzzr_mcp.gateway.page import mount_page

SOURCE = {
    "name": "Balance energético",
    "kind": "dataset",
    "url": "https://datos.example/energia",
    "license": "CC BY 4.0",
}
RETRIEVED = {"retrieved_at": "2026-01-04T10:00:00.130Z", "simulated": True}
TOOLS = [
    {"name": "energia", "title": "Balance energético", "description": "Producción por fuente.", "source": SOURCE,
     "questions": ["¿Cuánta energía eólica se produjo?", "¿Y solar?"]},
    {"name": "mareas", "title": "Tabla de mareas", "description": "Pleamares.", "source": SOURCE, "questions": []},
    {"name": "rumor", "title": "Rumores", "description": "Sin fuente.", "questions": ["¿Qué se dice?"],
     "refused": "No declara de dónde proceden sus datos."},
]  # fmt: skip
RESOURCES = [
    {
        "uri": "datos://energia",
        "name": "energia",
        "title": "Energía",
        "description": "Todo.",
        "mime": "application/json",
    },
    {"uri": "datos://año/{year}", "name": "year", "title": "Un año", "description": "Uno.", "mime": "application/json"},
]


class Hold:
    """In a script: nothing more comes until the caller leaves."""


@dataclass
class Api:
    """What each question is answered with, in turn, and what was asked.

    A script without `DoneEvent` is a stream that breaks off.
    """

    scripts: list[Sequence[Event | Hold]] = field(default_factory=list)
    refusal: tuple[int, str] | None = None
    token: str | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)

    def app(self) -> FastAPI:
        """The application, page and all."""
        app = FastAPI()
        app.add_api_route("/api/chat", self._chat, methods=["POST"])
        app.add_api_route("/api/tools", self._tools)
        app.add_api_route("/api/resources", self._resources)
        app.add_api_route("/api/resources/read", self._read)
        mount_page(app)
        return app

    async def _chat(self, request: Request) -> Response:
        self.asked.append(await request.json())
        if self.refusal is not None:
            return JSONResponse({"error": {"code": "X", "message": self.refusal[1]}}, self.refusal[0])
        return StreamingResponse(self._stream(self.scripts.pop(0)), media_type="text/event-stream")

    async def _stream(self, script: Sequence[Event | Hold]) -> AsyncIterator[str]:
        try:
            for event in script:
                if isinstance(event, Hold):
                    await asyncio.Event().wait()
                else:
                    yield f"event: {event.type}\ndata: {as_json(event)}\n\n"
        finally:
            self.left.set()

    async def _tools(self, request: Request) -> Response:
        if self.token and request.headers.get("authorization") != f"Bearer {self.token}":
            return JSONResponse({"error": {"code": "TOKEN", "message": "Envíela en la cabecera."}}, 401)
        return JSONResponse({"tools": TOOLS})

    async def _resources(self) -> Response:
        return JSONResponse({"resources": RESOURCES})

    async def _read(self, uri: str) -> Response:
        if "mal" in uri:
            return JSONResponse({"error": {"code": "X", "message": "No existe ese recurso."}}, 404)
        return JSONResponse({"uri": uri, "filas": [{"año": 2024, "GWh": 10.5}, {"año": 2025, "GWh": None}]})


def started(call: str = "1", *, title: str = "Balance energético", **arguments: Any) -> ToolEvent:
    """A tool has begun."""
    return ToolEvent(phase="started", call=call, name="energia", title=title, arguments=arguments)


def finished(call: str = "1", **more: Any) -> ToolEvent:
    """It has ended well."""
    told = {"outcome": "ok", "text": "Se produjeron 12 GWh.", "trace_id": "9f3c", "duration_ms": 12, **more}
    source: Any = {**SOURCE, **RETRIEVED}
    return ToolEvent(
        phase="finished", call=call, name="energia", title="Balance energético", arguments={}, source=source, **told
    )


def done(text: str = "", **more: Any) -> DoneEvent:
    """The end of an answer."""
    told = {"stopped": "answer", "rounds": 1, "tool_calls": 1, **more}
    usage = Usage(input_tokens=120, output_tokens=30)
    return DoneEvent(usage=usage, messages=(Message(role="assistant", content=text),), **told)


def said(text: str) -> list[TextEvent]:
    """A text in pieces of a few letters, as models send it."""
    return [TextEvent(delta=text[start : start + 7]) for start in range(0, len(text), 7)]
