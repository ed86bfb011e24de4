"""What a request is told that gets no answer: ``{"error": {"code", "message", "retryable"}}``, the message Spanish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from tzzr_mcp.gateway.failures import INTERNAL, Busy, LimitReached, Misread, NotThere, Refused, ServerLost, Stopping

BUSY_S = 5
"""Seconds after which a caller who was turned away may try again."""

_STATUSES: Mapping[type[Refused], int] = {
    Misread: 422,
    NotThere: 404,
    Busy: 503,
    Stopping: 503,
    ServerLost: 503,
    LimitReached: 504,
}


class Error(BaseModel):
    """Why there is no answer."""

    code: str
    message: str
    retryable: bool = False


class Problem(BaseModel):
    """The body of every HTTP error."""

    error: Error


def problem(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """An HTTP error."""
    error = Error(code=code, message=message, retryable=status in {408, 503, 504})
    return JSONResponse(Problem(error=error).model_dump(), status, dict(headers or {}))


def handle(app: FastAPI) -> None:
    """Let every error of ``app`` have the one form."""

    @app.exception_handler(Refused)
    async def _refused(_: Request, error: Refused) -> Response:
        status = _STATUSES.get(type(error), 400)
        return problem(status, error.code, error.message, {"Retry-After": str(BUSY_S)} if status == 503 else None)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> Response:
        return problem(422, "REQUEST_INVALID", sentence(error.errors()))

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # FastAPI's, for a body that is not even text
            return problem(422, "REQUEST_INVALID", _NOT_JSON)
        return problem(error.status_code, "NOT_SERVED", _HTTP.get(error.status_code, _OTHER), error.headers)

    @app.exception_handler(Exception)
    async def _broken(_: Request, __: Exception) -> Response:
        return problem(500, "INTERNAL", INTERNAL)


def sentence(errors: Sequence[Any]) -> str:
    """The first mistake of a request: where it is and what is wrong, without the library's own words."""
    first = errors[0]
    kind = str(first["type"])
    if kind == "json_invalid":
        return _NOT_JSON
    place = _place(first["loc"])
    if not place:
        return 'El cuerpo de la petición debe ser un objeto JSON: {"messages": [{"role": "user", "content": "…"}]}.'
    told = next((text for name, text in _KINDS.items() if kind.startswith(name)), "no es válido")
    context = {name: str(value).replace(" or ", " o ") for name, value in (first.get("ctx") or {}).items()}
    return f"El campo «{place}» {told.format_map(_Context(context))}."


def _place(loc: Sequence[Any]) -> str:
    head, *rest = [*loc[1:]] or [""]
    return f"{head}" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)


class _Context(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "…"


_NOT_JSON = "El cuerpo de la petición no es JSON bien escrito."
_KINDS = {
    "missing": "falta y es obligatorio",
    "extra_forbidden": "no existe; se admiten «role», «content», «calls», «call» y «ok»",
    "literal_error": "no tiene un valor admitido: {expected}",
    "string_too_long": "tiene más de {max_length} caracteres, el límite",
    "string_too_short": "está vacío",
    "string": "debe ser un texto",
    "too_long": "tiene más de {max_length} elementos, el límite",
    "list": "debe ser una lista",
    "tuple": "debe ser una lista",
    "dict": "debe ser un objeto",
    "model": "debe ser un objeto",
    "bool": "debe ser verdadero o falso",
}
_HTTP = {404: "No existe esa dirección en este servicio.", 405: "Esa dirección no admite ese método."}
_OTHER = "El servicio no admite esa petición."
