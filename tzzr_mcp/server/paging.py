"""Pages of a fixed list, by an opaque cursor."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TypeVar

from mcp import types as t

from tzzr_mcp.contract.errors import shown
from tzzr_mcp.server.errors import invalid_params

T = TypeVar("T")


def page(items: Sequence[T], params: t.PaginatedRequestParams | None, size: int) -> tuple[list[T], str | None]:
    """The page that the request asks for, and the cursor of the next one.

    Raises:
        MCPError: -32602, the cursor is none that a page of this list ended with.
    """
    cursor = params.cursor if params else None
    start = 0 if cursor is None else _start(cursor, len(items), size)
    end = start + size
    return list(items[start:end]), _cursor(end) if end < len(items) else None


def _cursor(start: int) -> str:
    return base64.urlsafe_b64encode(f"from {start}".encode()).decode()


def _start(cursor: str, count: int, size: int) -> int:
    for start in range(size, count, size):
        if cursor == _cursor(start):
            return start
    raise invalid_params(
        f"El cursor {shown(cursor)} no es válido. Use el «nextCursor» de la página anterior, o ninguno para empezar.",
        cursor=cursor[:200],
    )
