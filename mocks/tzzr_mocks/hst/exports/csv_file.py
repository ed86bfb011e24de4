"""Comma-separated values: texts quoted, numbers bare, NULL empty, objects flattened to ``metadatos.color``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tzzr_mocks.hst.errors import Unexpected
from tzzr_mocks.hst.javascript import to_string


def to_csv(rows: Any) -> str:
    """One line a row, a header first, no line break at the end; nothing at all without rows.

    A field that is an object in one row and NULL in another has its flattened columns in place and, last, one of its
    own. A row of NULLs alone is left out.

    Raises:
        Refusal: 500, the rows are bare keys.
    """
    listed = rows if isinstance(rows, list) else [rows]
    if not all(isinstance(row, dict) for row in listed):
        raise Unexpected("Data should not be empty or the fields option should be specified")
    flat = [dict(_flatten(row)) for row in listed]
    if not flat:
        return ""
    header = list(dict.fromkeys(name for row in flat for name in row))
    lines = [",".join(_cell(name) for name in header)]
    told = [row for row in flat if any(value is not None for value in row.values())]
    lines += [",".join(_cell(row.get(name)) for name in header) for row in told]
    return "\n".join(lines)


def _flatten(row: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        if isinstance(value, dict) and value:
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return to_string(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return '"' + text.replace('"', '""') + '"'
