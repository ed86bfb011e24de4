"""JSON, indented with tabs, without the ``data`` around it."""

from __future__ import annotations

import json
from typing import Any


def to_json(rows: Any) -> str:
    """The rows as indented JSON."""
    return json.dumps(rows, ensure_ascii=False, indent="\t")
