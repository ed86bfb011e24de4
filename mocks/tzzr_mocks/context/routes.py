"""The Context Manager's routes: HTTP in and out."""

from __future__ import annotations

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from tzzr_mocks.context.errors import ContextError, status_envelope
from tzzr_mocks.context.schemas import AgentContext
from tzzr_mocks.context.store import ContextStore


def build_app(store: ContextStore) -> FastAPI:
    """The application over a store."""
    app = FastAPI(title="Context Manager (fake)", version="1", docs_url=None, redoc_url=None)

    @app.get("/v1/agents/{agent_id}/context", response_model=AgentContext)
    async def read_context(agent_id: str, request: Request) -> Response:
        store.authorise(request.headers.get("authorization", ""))
        return Response(store.context_of(agent_id).model_dump_json(), media_type="application/json")

    @app.get("/health")
    async def read_health() -> Response:
        return JSONResponse({"status": "ok"})

    @app.exception_handler(ContextError)
    async def refuse(request: Request, error: ContextError) -> Response:
        return JSONResponse(error.as_json(), error.status)

    @app.exception_handler(HTTPException)
    async def refuse_route(request: Request, error: HTTPException) -> Response:
        return JSONResponse(status_envelope(error.status_code), error.status_code, error.headers)

    return app
