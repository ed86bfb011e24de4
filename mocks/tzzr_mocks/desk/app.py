"""The control plane over HTTP: one application under ``/__tzzr/`` of every fake, wherever it is reached."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from importlib import resources
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send
from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.desk import clock_routes, fault_routes, journal_routes, model_routes, world_routes
from tzzr_mocks.desk.answers import Refusal
from tzzr_mocks.desk.desk import DESK, Desk
from tzzr_mocks.desk.live import NotNow, NotThere, UnknownWorld, Worlds

_PAGE_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


CONTROL_PREFIX = "/__tzzr"


def is_control(path: str) -> bool:
    """Whether a request is for the control plane, and not for the fake."""
    return path == CONTROL_PREFIX or path.startswith(f"{CONTROL_PREFIX}/")


def control_app(worlds: Worlds) -> ASGIApp:
    """The application about these worlds. Nobody is kept out: whoever opens it on a port guards it."""
    desk = Desk(worlds)

    async def control(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(CONTROL_PREFIX) or "/"
        await _application()({**scope, "path": path, "raw_path": path.encode(), DESK: desk}, receive, send)

    return control


@cache
def _application() -> FastAPI:
    app = FastAPI(
        title="TZZR fakes: control plane",
        version="1",
        docs_url=None,
        redoc_url=None,
        servers=[{"url": CONTROL_PREFIX}],
        responses={status: {"model": Refusal} for status in (404, 422)},
    )
    for module in (world_routes, fault_routes, journal_routes, model_routes, clock_routes):
        module.routes.add_to(app)
    app.add_api_route("/", _page, include_in_schema=False, response_class=HTMLResponse)
    for kind, status in _REFUSALS.items():
        app.add_exception_handler(kind, partial(_refuse, status))
    app.add_exception_handler(HTTPException, _refuse_http)
    return app


async def _page() -> Response:
    file = resources.files("tzzr_mocks.desk").joinpath("page", "index.html")
    return HTMLResponse(file.read_text("utf-8"), headers=_PAGE_HEADERS)


_REFUSALS: Mapping[type[Exception], int] = {
    UnknownWorld: 404,
    NotThere: 404,
    NotNow: 409,
    RequestValidationError: 422,
    ValueError: 422,
}


async def _refuse(status: int, request: Request, error: Exception) -> Response:
    return JSONResponse({"error": _told(error)}, status)


async def _refuse_http(request: Request, error: Exception) -> Response:
    """No such route or method; and a body that is not even text, which FastAPI tells apart from one that is no JSON."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    status = 422 if error.status_code == 400 else error.status_code
    return JSONResponse({"error": {"message": str(error.detail)}}, status, error.headers)


def _told(error: Exception) -> dict[str, Any]:
    if isinstance(error, RequestValidationError):
        places = [(".".join(str(part) for part in one["loc"][1:]), one["msg"]) for one in error.errors()]
        return {"message": "; ".join(f"{place}: {message}" for place, message in places)}
    if isinstance(error, PlanError):
        return {"message": str(error), "column": error.column, "suggestion": error.suggestion}
    return {"message": str(error)}
