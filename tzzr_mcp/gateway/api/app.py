"""The FastAPI application: ``POST /api/chat``, and what a page needs beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, Field
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from tzzr_mcp import __version__
from tzzr_mcp.gateway.api.access import Access, BodyLimit, Guard
from tzzr_mcp.gateway.api.files import resource_routes
from tzzr_mcp.gateway.api.problems import Problem, handle, problem
from tzzr_mcp.gateway.api.stream import EventStream
from tzzr_mcp.gateway.catalogue import Listed
from tzzr_mcp.gateway.conversation import MOST_MESSAGES
from tzzr_mcp.gateway.events import EVENT, Message
from tzzr_mcp.gateway.failures import Refused
from tzzr_mcp.gateway.gateway import Gateway


class Conversation(BaseModel):
    """A conversation; its last message is the question. ``done`` gives the messages to append to it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"messages": [{"role": "user", "content": "¿Cuánto cuesta el préstamo?"}]}]},
    )

    messages: list[Message] = Field(max_length=MOST_MESSAGES)


class ToolInfo(BaseModel):
    """A tool: ``source`` is the one that it declares, ``questions`` those that its plugin proposes to begin with.

    ``refused`` says why it is not used, of a tool that is not.
    """

    name: str
    title: str
    description: str | None = None
    source: dict[str, Any] | None = None
    questions: list[str] = []
    refused: str | None = None


class Tools(BaseModel):
    """The catalogue."""

    tools: list[ToolInfo]


def create_app(gateway: Gateway, access: Access | None = None) -> FastAPI:
    """The application. It enters ``gateway`` when it starts and leaves it when it ends; loopback alone by default."""
    access = access or Access()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with gateway:
            yield

    app = FastAPI(
        title="TZZR chat gateway",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        middleware=_middleware(access),
        responses={status: {"model": Problem} for status in (401, 403, 421)},
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    handle(app)
    _chat_routes(app, gateway)
    resource_routes(app, gateway)
    _health_routes(app, gateway)
    _describe_events(app)
    return app


def _middleware(access: Access) -> list[Middleware]:
    chain = [Middleware(Guard, access), Middleware(BodyLimit, access.max_body)]
    if access.origins:
        cors = Middleware(
            CORSMiddleware, allow_origins=access.origins, allow_methods=["GET", "POST"], allow_headers=["*"]
        )
        chain.insert(0, cors)
    return chain


def _chat_routes(app: FastAPI, gateway: Gateway) -> None:
    @app.post(
        "/api/chat",
        response_class=Response,
        responses={200: _STREAM, **{status: {"model": Problem} for status in (413, 422, 503)}},
        summary="Ask a question; the answer comes as server-sent events",
    )
    async def chat(conversation: Conversation) -> Response:
        return EventStream(gateway.turn(conversation.messages), gateway.clock)

    @app.get("/api/tools", responses={503: {"model": Problem}}, summary="The tools that the model may use")
    async def tools() -> Tools:
        return Tools(tools=[tool_info(tool) for tool in (await gateway.tools()).tools])


def _health_routes(app: FastAPI, gateway: Gateway) -> None:
    @app.get("/healthz", summary="Whether the process answers")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz", summary="Whether the MCP server answers", responses={503: {"model": Problem}})
    async def readyz() -> Response:
        try:
            catalogue = await gateway.tools()
        except Refused as refused:
            return problem(503, refused.code, refused.message)
        return Response(f'{{"status":"ok","tools":{len(catalogue.offers)}}}', media_type="application/json")


def _describe_events(app: FastAPI) -> None:
    """Put the events' schemas where the description of the stream refers to them: FastAPI knows of no stream."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        document = described()
        document["components"]["schemas"] |= _EVENTS["$defs"]
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's docs extend it


def tool_info(tool: Listed) -> ToolInfo:
    """What a page shows of a tool."""
    questions = (tool.tool.meta or {}).get("tzzr/questions")
    listed = questions if isinstance(questions, list) else []
    return ToolInfo(
        name=tool.name,
        title=tool.title,
        description=tool.tool.description,
        source=dict(tool.source) if tool.source else None,
        questions=[question for question in listed if isinstance(question, str)],
        refused=None if tool.sourced else "No declara de dónde proceden sus datos.",
    )


_DESCRIPTION = """\
Answers in words from a model, tables and charts straight from the tools. Stateless: the conversation travels with each
question. Every error has one form, and a sentence in Spanish for the person."""
_EVENTS = EVENT.json_schema(ref_template="#/components/schemas/{model}")
_DATA = {name: part for name, part in _EVENTS.items() if name != "$defs"}
_STREAM: dict[str, Any] = {
    "description": "Server-sent events: `event:` is the event's `type`, `data:` its JSON. The last one is `done`.",
    "content": {
        "text/event-stream": {
            "schema": {
                "type": "object",
                "description": "One event.",
                "required": ["event", "data"],
                "properties": {
                    "event": {"enum": [*_DATA["discriminator"]["mapping"]]},
                    "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": _DATA},
                },
                "additionalProperties": False,
            }
        }
    },
}
