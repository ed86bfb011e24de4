"""Routes written down now and read later: FastAPI studies every signature, and most worlds are never asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import FastAPI

Serve = TypeVar("Serve", bound=Callable[..., Any])


class Routes:
    """Plain functions under their methods and paths, as `fastapi.APIRouter` takes them. ``tag`` groups them.

    Beside FastAPI's options, ``answers`` is the type of a success, and ``links`` where it leads, for the description.
    """

    def __init__(self, tag: str) -> None:
        self._tag = tag
        self._written: list[tuple[str, str, Callable[..., Any], dict[str, Any]]] = []

    def get(self, path: str, **options: Any) -> Callable[[Serve], Serve]:
        """``GET``, as FastAPI's own."""
        return self._write("GET", path, options)

    def post(self, path: str, **options: Any) -> Callable[[Serve], Serve]:
        """``POST``, as FastAPI's own."""
        return self._write("POST", path, options)

    def put(self, path: str, **options: Any) -> Callable[[Serve], Serve]:
        """``PUT``, as FastAPI's own."""
        return self._write("PUT", path, options)

    def patch(self, path: str, **options: Any) -> Callable[[Serve], Serve]:
        """``PATCH``, as FastAPI's own."""
        return self._write("PATCH", path, options)

    def delete(self, path: str, **options: Any) -> Callable[[Serve], Serve]:
        """``DELETE``, as FastAPI's own."""
        return self._write("DELETE", path, options)

    def _write(self, method: str, path: str, options: dict[str, Any]) -> Callable[[Serve], Serve]:
        def written(serve: Serve) -> Serve:
            self._written.append((method, path, serve, options))
            return serve

        return written

    def add_to(self, app: FastAPI) -> None:
        """Let an application serve them."""
        for method, path, serve, options in self._written:
            app.add_api_route(path, serve, methods=[method], tags=[self._tag], **_described(dict(options)))


def _described(options: dict[str, Any]) -> dict[str, Any]:
    """Options as FastAPI takes them: ``answers`` is what a success looks like, shown and not enforced."""
    status = options.get("status_code", 200)
    success: dict[str, Any] = {"model": options.pop("answers", dict[str, Any]), "links": options.pop("links", {})}
    told = {name: value for name, value in success.items() if value}
    responses = {status: told, **options.pop("responses", {})}
    return {
        "response_model": None,
        "responses": responses,
        "operation_id": options.pop("operation_id", None),
        **options,
    }
