"""The control plane over HTTP: the same application under ``/__tzzr/`` on every port."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import resources
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.responses import HTMLResponse, JSONResponse, Response

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send
from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.served import clock_routes, fault_routes, journal_routes, world_routes
from tzzr_mocks.served.access import AccessMiddleware
from tzzr_mocks.served.desk import Desk
from tzzr_mocks.served.dispatch import CONTROL_PREFIX
from tzzr_mocks.served.worlds import UnknownWorld, Worlds

_PAGE_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


def build_control(worlds: Worlds, token: str | None) -> ASGIApp:
    """The application. ``token`` lets in who is not on this machine; None: nobody."""
    app = FastAPI(
        title="TZZR fakes: control plane", version="1", docs_url=None, redoc_url=None, servers=[{"url": CONTROL_PREFIX}]
    )
    app.state.desk = Desk(worlds)
    for routes in (world_routes, fault_routes, journal_routes, clock_routes):
        app.include_router(routes.router)
    app.add_api_route("/", _page, include_in_schema=False, response_class=HTMLResponse)
    for kind, status in _REFUSALS.items():
        app.add_exception_handler(kind, partial(_refuse, status))
    return AccessMiddleware(_without_prefix(app), token)


def _without_prefix(app: ASGIApp) -> ASGIApp:
    async def stripped(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(CONTROL_PREFIX) or "/"
        await app({**scope, "path": path, "raw_path": path.encode()}, receive, send)

    return stripped


async def _page() -> Response:
    file = resources.files("tzzr_mocks.served").joinpath("page", "index.html")
    return HTMLResponse(file.read_text("utf-8"), headers=_PAGE_HEADERS)


_REFUSALS: Mapping[type[Exception], int] = {UnknownWorld: 404, RequestValidationError: 422, ValueError: 422}


async def _refuse(status: int, request: Request, error: Exception) -> Response:
    return JSONResponse({"error": _told(error)}, status)


def _told(error: Exception) -> dict[str, Any]:
    if isinstance(error, RequestValidationError):
        places = [(".".join(str(part) for part in one["loc"][1:]), one["msg"]) for one in error.errors()]
        return {"message": "; ".join(f"{place}: {message}" for place, message in places)}
    if isinstance(error, PlanError):
        return {"message": str(error), "column": error.column, "suggestion": error.suggestion}
    return {"message": str(error)}
