"""Protocol errors: what a client did wrong in the protocol, as JSON-RPC says it, in Spanish.

What a model can act on is no protocol error: a tool answers it as a result (CONTRACT §2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp.shared.exceptions import MCPError

from tzzr_mcp.contract.errors import Failure, shown
from tzzr_mcp.seams.spelling import nearest

INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
RESOURCE_NOT_FOUND: Final = -32002
"""Of the protocol up to 2025-11-25; from 2026-07-28 on it is INVALID_PARAMS."""


def invalid_params(message: str, **facts: Any) -> MCPError:
    """The request names something that is not there, or lacks something."""
    return MCPError(code=INVALID_PARAMS, message=message, data=facts or None)


def no_such(kind: str, name: str, known: Iterable[str]) -> MCPError:
    """``kind`` with its article, as in «la herramienta»; the nearest known name is proposed."""
    return invalid_params(f"No existe {kind} {shown(name, 80)}{or_nearest(name, known)}", name=name[:200])


def or_nearest(name: str, known: Iterable[str]) -> str:
    """How a sentence about an unknown name ends: with the nearest known one, or with all when they are few."""
    names = list(known)
    if near := nearest(name, names):
        return f"; ¿quiso decir {shown(near, 80)}?"
    return f". Existen: {', '.join(names)}." if 0 < len(names) <= 20 else "."


def resource_not_found(message: str, uri: str, protocol_version: str) -> MCPError:
    """With the code of the client's era."""
    code = INVALID_PARAMS if protocol_version >= "2026" else RESOURCE_NOT_FOUND
    return MCPError(code=code, message=message, data={"uri": uri})


def failed(failure: Failure, **facts: Any) -> MCPError:
    """Something other than a tool failed: the failure's sentence, with the whole of it as data."""
    return MCPError(code=INTERNAL_ERROR, message=failure.message, data={**facts, "tzzr/error": failure.as_json()})
