"""How a sentence for a person quotes what it is about."""

from __future__ import annotations

import json


def shown(value: object, limit: int = 40) -> str:
    """`value` as a Spanish sentence quotes it: JSON on one line, at most `limit` characters and a mark, printable."""
    head = value[: limit + 1] if isinstance(value, str | bytes) else value
    try:
        text = json.dumps(head, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(head)
    text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[: limit + 3])
    return text if len(text) <= limit + 2 else f"{text[:limit]}…"
