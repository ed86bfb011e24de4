"""What a request is told that no MCP handler ever sees."""

from __future__ import annotations

from mcp import types as t
from starlette.responses import JSONResponse

from tzzr_mcp.server.transports.messages import INVALID_REQUEST


def refusal(status: int, text: str, *, code: int = INVALID_REQUEST, close: bool = False) -> JSONResponse:
    """An HTTP error whose body is a JSON-RPC error. ``close`` ends the connection, of which nothing good can follow."""
    error = t.JSONRPCError(jsonrpc="2.0", id=None, error=t.ErrorData(code=code, message=text))
    return answered(status, error, close=close)


def answered(status: int, error: t.JSONRPCError, *, close: bool = False) -> JSONResponse:
    """A JSON-RPC error as an HTTP response."""
    body = error.model_dump(exclude_unset=True)
    return JSONResponse(body, status, {"Connection": "close"} if close else None)
