"""What a client saw of one step, in the words that expectations use."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tzzr_scenarios.matchers import MISSING

PREFIX = "tzzr/"


@dataclass(frozen=True)
class Observation:
    """One step's outcome. ``error`` is a tool's or a turn's, ``protocol_error`` JSON-RPC's; both None when it succeeded.

    ``chat`` is what a turn of the gateway showed beside its words, ``results`` what the gateway had of the server for it.
    """

    text: str = ""
    structured: Mapping[str, Any] | None = None
    data: Any = MISSING
    meta: Mapping[str, Any] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    protocol_error: Mapping[str, Any] | None = None
    progress: Sequence[str] = ()
    values: Sequence[str] = ()
    elapsed: float = 0.0
    chat: Mapping[str, Any] | None = None
    results: Sequence[Mapping[str, Any]] = ()

    @property
    def outcome(self) -> str:
        """``ok``, or what went wrong in one word."""
        failure = self.error or self.protocol_error
        return "ok" if failure is None else str(failure.get("code"))

    @property
    def attempts(self) -> Sequence[Mapping[str, Any]]:
        """The modules that were tried, from the result or from the error."""
        tried = self.meta.get("attempts") or (self.error or {}).get("attempts")
        return tried or ()

    @property
    def hops(self) -> tuple[str, ...]:
        """The modules tried, in order: ``OCR_LOCAL ✗ MODULE_UNAVAILABLE``, ``OCR_GROQ ✓``."""
        return tuple(_hop(attempt) for attempt in self.attempts)


def _hop(attempt: Mapping[str, Any]) -> str:
    if attempt.get("status") == "OK":
        return f"{attempt['module']} ✓"
    return f"{attempt['module']} ✗ {(attempt.get('error') or {}).get('code', '?')}"


def of_tool(result: Any, elapsed: float, progress: Sequence[str] = ()) -> Observation:
    """The observation of a ``CallToolResult``."""
    structured = result.structured_content
    meta = _bare(result.meta or {})
    error = dict(meta.get("error") or {"code": "?"}) if result.is_error else None
    text = _text(result.content)
    data = (structured or {}).get("data", MISSING)
    return Observation(text, structured, data, meta, error, progress=progress, elapsed=elapsed)


def of_text(text: str, elapsed: float, values: Sequence[str] = ()) -> Observation:
    """The observation of a resource's content or a prompt's messages; JSON text is its own ``data``."""
    return Observation(text, data=_parsed(text), values=values, elapsed=elapsed)


def _text(content: Sequence[Any]) -> str:
    return "\n".join(block.text for block in content if getattr(block, "type", "") == "text")


def _bare(meta: Mapping[str, Any]) -> dict[str, Any]:
    return {key.removeprefix(PREFIX): value for key, value in meta.items()}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return MISSING
