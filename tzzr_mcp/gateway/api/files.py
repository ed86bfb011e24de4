"""The server's resources over HTTP: listed, read, downloaded with their source and date on top."""

from __future__ import annotations

from typing import Literal
from urllib.parse import quote

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.responses import Response

from tzzr_mcp.gateway.api.problems import Problem, problem
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.open_data import Content, NoTable, Resource, as_csv, as_json

Format = Literal["raw", "json", "csv"]

_SAFE = (
    "application/json",
    "text/plain",
    "text/csv",
    "text/markdown",
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
)
"""What a browser may be told of a resource's type: nothing that it would run. Markdown it shows as text."""
_HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}


class Resources(BaseModel):
    """Resources and templates."""

    resources: list[Resource]


def resource_routes(app: FastAPI, gateway: Gateway) -> None:
    """Add the routes."""

    @app.get("/api/resources", responses={503: {"model": Problem}}, summary="What the server offers to read")
    async def resources() -> Resources:
        return Resources(resources=await gateway.resources())

    @app.get(
        "/api/resources/read",
        response_class=Response,
        responses={status: {"model": Problem} for status in (404, 422, 503)},
        summary="One resource; json and csv have its source and date on top",
    )
    async def read(uri: str, format: Format = "raw", download: bool = False) -> Response:  # noqa: A002 - the parameter
        content = await gateway.read(uri)
        try:
            response = _response(content, format, gateway)
        except NoTable:
            text = "Este recurso no es una tabla. Descárguelo como JSON."
            return problem(422, "NOT_A_TABLE", text)
        if download:
            response.headers["Content-Disposition"] = (
                f"attachment; filename*=UTF-8''{quote(_file_name(content, format))}"
            )
        return response


def _response(content: Content, format: Format, gateway: Gateway) -> Response:  # noqa: A002 - as above
    if format == "json":
        return Response(as_json(content, gateway.clock.now()), media_type="application/json", headers=_HEADERS)
    if format == "csv":
        # Spreadsheets take a file without a mark for one in some old character set.
        text = "\N{ZERO WIDTH NO-BREAK SPACE}" + as_csv(content, gateway.clock.now())
        return Response(text, media_type="text/csv", headers=_HEADERS)
    return Response(content.body, media_type=_media_type(content), headers=_HEADERS)


def _media_type(content: Content) -> str:
    told = (content.mime or "").partition(";")[0].strip().lower()
    if told in _SAFE:
        return told
    return "text/plain" if isinstance(content.body, str) else "application/octet-stream"


def _file_name(content: Content, format: Format) -> str:  # noqa: A002 - as above
    name = "".join(c if c.isalnum() or c in "-_." else "_" for c in content.uri.partition("://")[2] or content.uri)
    ending = {"json": ".json", "csv": ".csv"}.get(format) or (
        ".json" if _media_type(content) == "application/json" else ""
    )
    return (name.strip("_.") or "recurso")[:100] + ending
