"""What a fake offers to fault plans and to the journal: its routes, its modules, and how to read a request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any

from tzzr_mocks.control.asgi import Scope
from tzzr_mocks.control.occasion import Occasion, Point

TRACE_HEADER = b"x-trace-id"
"""Who sends it tells which of its own calls a request belongs to; no service needs it."""

Recognise = Callable[[Occasion, Mapping[str, str]], Occasion]
"""Adds module, trace id and key to an occasion, from its body and the path's parameters."""


ErrorBody = Callable[[int], Any]
"""The JSON body with which the upstream reports an HTTP status: its error envelope."""


def _plain_error(status: int) -> Any:
    return {"error": HTTPStatus(status).phrase if status in list(HTTPStatus) else f"Status {status}"}


def _as_it_is(occasion: Occasion, parameters: Mapping[str, str]) -> Occasion:
    return occasion


@dataclass(frozen=True)
class Surface:
    """The routes and modules of one fake.

    ``routes`` are ``METHOD /path/{parameter}`` as the application has them; a label leaves ``prefix`` out, so that
    ``POST /v2/{endpoint_id}/run`` with prefix ``/v2/{endpoint_id}`` is ``POST /run``. A parameter called
    ``endpoint_id`` becomes the occasion's endpoint. ``recognise`` reads the rest from the body. ``error_body`` makes
    the upstream's error envelope, for faults that answer with a status; an upstream with more than one API makes it of
    the occasion too, in ``envelope``.
    """

    routes: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    prefix: str = ""
    recognise: Recognise = field(default=_as_it_is, compare=False)
    error_body: ErrorBody = field(default=_plain_error, compare=False)
    envelope: Callable[[Occasion], ErrorBody] | None = field(default=None, compare=False)

    @classmethod
    def of(cls, app: Any, **parts: Any) -> Surface:
        """The surface of a Starlette or FastAPI application: every route that it has, its own docs left out.

        ``parts`` are the other attributes.

        Raises:
            TypeError: the application includes a router, whose routes FastAPI hides; add them to the application.
        """
        return cls(routes=tuple(_routes(app.routes)), **parts)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The routes as plans and journals name them."""
        return tuple(self._label(route) for route in self.routes)

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str], str]]:
        split = [(route.partition(" "), self._label(route)) for route in self.routes]
        return [(method, _pattern(path), label) for (method, _, path), label in split]

    def _label(self, route: str) -> str:
        method, _, path = route.partition(" ")
        return f"{method} {path.removeprefix(self.prefix) or '/'}"

    def error_body_for(self, occasion: Occasion) -> ErrorBody:
        """What makes the error envelope that this request would get."""
        return self.envelope(occasion) if self.envelope else self.error_body

    def occasion(self, point: Point, service: str, scope: Scope, body: bytes) -> Occasion:
        """The occasion that one HTTP request is."""
        method, path = scope["method"], scope["path"]
        label, parameters = self._route(method, path)
        endpoint = parameters.get("endpoint_id")
        trace_id = header_of(scope.get("headers", ()), TRACE_HEADER)
        plain = Occasion(point, service, method, path, label, trace_id=trace_id, endpoint=endpoint, body=body)
        return self.recognise(plain, parameters)

    def _route(self, method: str, path: str) -> tuple[str | None, dict[str, str]]:
        for allowed, pattern, label in self._patterns:
            if allowed == method and (found := pattern.fullmatch(path)):
                return label, found.groupdict()
        return None, {}


def header_of(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str | None:
    """The value of the first header of that lower-case name."""
    return next((value.decode("latin-1") for name, value in headers if name.lower() == wanted), None)


def _routes(routes: Iterable[Any]) -> Iterator[str]:
    """``METHOD /path`` of each route, HEAD and OPTIONS left out."""
    for route in routes:
        if not hasattr(route, "path"):
            raise TypeError(f"the routes inside {route!r} cannot be seen; add them to the application itself")
        if getattr(route, "include_in_schema", True):
            for method in sorted(set(getattr(route, "methods", None) or ()) - {"HEAD", "OPTIONS"}):
                yield f"{method} {route.path}"


def _pattern(path: str) -> re.Pattern[str]:
    """``/a/{b}`` or ``/a/{b:path}`` as a regular expression with a group per parameter."""
    parts = re.split(r"\{(\w+)(:path)?\}", path)
    text = ""
    for literal, name, greedy in zip(parts[::3], [*parts[1::3], None], [*parts[2::3], None], strict=True):
        text += re.escape(literal)
        if name is not None:
            text += f"(?P<{name}>{'.+' if greedy else '[^/]+'})"
    return re.compile(text)
