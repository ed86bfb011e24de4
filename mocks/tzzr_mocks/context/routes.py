"""The Context Manager's routes: HTTP in and out.

They are plain functions that find the store in the application; closures would be kept for ever in FastAPI's caches.
"""

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
    app.state.store = store
    app.add_api_route("/v1/agents/{agent_id}/context", _read_context, response_model=AgentContext)
    app.add_api_route("/health", _read_health)
    app.add_exception_handler(ContextError, _refuse)
    app.add_exception_handler(HTTPException, _refuse)
    return app


async def _read_context(agent_id: str, request: Request) -> Response:
    store: ContextStore = request.app.state.store
    store.authorise(request.headers.get("authorization", ""))
    return Response(store.context_of(agent_id).model_dump_json(), media_type="application/json")


async def _read_health() -> Response:
    return JSONResponse({"status": "ok"})


async def _refuse(request: Request, error: Exception) -> Response:
    if isinstance(error, ContextError):
        return JSONResponse(error.as_json(), error.status)
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for these two
    return JSONResponse(status_envelope(error.status_code), error.status_code, error.headers)
