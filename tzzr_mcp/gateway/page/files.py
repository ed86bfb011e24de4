"""The page's files, read once and served with the headers that keep everything else out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from fastapi import FastAPI, Request, Response

from tzzr_mcp.drawing import files_of

_MEDIA: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}
"""Of every file of the page. ``no-cache``: a browser asks whether its copy is still the newest."""


@dataclass(frozen=True)
class PageFile:
    """One file with its media type and its tag."""

    content: bytes
    media_type: str
    etag: str

    def reply(self, known: str | None) -> Response:
        """The file, or 304 to a browser that ``known`` says to have it."""
        headers = {**HEADERS, "etag": self.etag}
        if known == self.etag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, media_type=self.media_type, headers=headers)


def mount_page(app: FastAPI) -> None:
    """Serve the page at ``/`` and its files under ``/page/``; they find the API beside them, at ``api/``."""
    files = page_files()

    async def index(request: Request) -> Response:
        return files["index.html"].reply(request.headers.get("if-none-match"))

    async def file(request: Request, name: str) -> Response:
        if name not in files:
            return Response("No existe ese archivo.", 404, media_type="text/plain; charset=utf-8")
        return files[name].reply(request.headers.get("if-none-match"))

    app.add_api_route("/", index, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/page/{name}", file, methods=["GET", "HEAD"], include_in_schema=False)


def page_files() -> dict[str, PageFile]:
    """Every file by its name: the page's own, and those that draw tables and charts."""
    found = files_of("tzzr_mcp.drawing", "tzzr_mcp.gateway.page")
    return {name: _read(name, content) for name, content in found.items()}


def _read(name: str, content: bytes) -> PageFile:
    tag = hashlib.blake2s(content, digest_size=12).hexdigest()
    return PageFile(content, _MEDIA[PurePath(name).suffix], f'"{tag}"')
