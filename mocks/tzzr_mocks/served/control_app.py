"""The control plane over HTTP: the same application under ``/__tzzr/`` on every port."""

from __future__ import annotations

from importlib import resources

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.responses import HTMLResponse, JSONResponse, Response

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send
from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.served.access import AccessMiddleware
from tzzr_mocks.served.desk import Desk
from tzzr_mocks.served.dispatch import CONTROL_PREFIX
from tzzr_mocks.served.fault_routes import add_fault_routes
from tzzr_mocks.served.watch_routes import add_watch_routes
from tzzr_mocks.served.world_routes import add_world_routes
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
    desk = Desk(worlds)
    add_world_routes(app, desk)
    add_fault_routes(app, desk)
    add_watch_routes(app, desk)
    _add_page(app)
    _add_refusals(app)
    return AccessMiddleware(_without_prefix(app), token)


def _without_prefix(app: ASGIApp) -> ASGIApp:
    async def stripped(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(CONTROL_PREFIX) or "/"
        await app({**scope, "path": path, "raw_path": path.encode()}, receive, send)

    return stripped


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        file = resources.files("tzzr_mocks.served").joinpath("page", "index.html")
        return HTMLResponse(file.read_text("utf-8"), headers=_PAGE_HEADERS)


def _add_refusals(app: FastAPI) -> None:
    @app.exception_handler(PlanError)
    async def refuse_plan(request: Request, error: PlanError) -> Response:
        details = {"message": str(error), "column": error.column, "suggestion": error.suggestion}
        return JSONResponse({"error": details}, 422)

    @app.exception_handler(UnknownWorld)
    async def refuse_world(request: Request, error: UnknownWorld) -> Response:
        return JSONResponse({"error": {"message": str(error)}}, 404)

    @app.exception_handler(RequestValidationError)
    async def refuse_body(request: Request, error: RequestValidationError) -> Response:
        told = "; ".join(f"{'.'.join(str(part) for part in one['loc'][1:])}: {one['msg']}" for one in error.errors())
        return JSONResponse({"error": {"message": told}}, 422)

    @app.exception_handler(ValueError)
    async def refuse_value(request: Request, error: ValueError) -> Response:
        return JSONResponse({"error": {"message": str(error)}}, 422)
