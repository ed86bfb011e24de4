"""The Context Manager's routes: HTTP in and out.

They are plain functions that find the store in the application; closures would be kept for ever in FastAPI's caches.
"""

from __future__ import annotations

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from tzzr_mocks.context.errors import ContextError, status_envelope
from tzzr_mocks.context.store import ContextStore


def build_app(store: ContextStore) -> FastAPI:
    """The application over a store."""
    app = FastAPI(title="Context Manager (fake)", version="1", openapi_url=None)
    app.state.store = store
    app.add_route("/v1/agents/{agent_id}/context", _read_context, methods=["GET"])
    app.add_route("/health", _read_health, methods=["GET"])
    app.add_exception_handler(ContextError, _refuse)
    app.add_exception_handler(HTTPException, _refuse)
    return app


async def _read_context(request: Request) -> Response:
    store: ContextStore = request.app.state.store
    store.authorise(request.headers.get("authorization", ""))
    context = store.context_of(request.path_params["agent_id"])
    return Response(context.model_dump_json(), media_type="application/json")


async def _read_health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _refuse(request: Request, error: Exception) -> Response:
    if isinstance(error, ContextError):
        return JSONResponse(error.as_json(), error.status)
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for these two
    return JSONResponse(status_envelope(error.status_code), error.status_code, error.headers)
