"""What a client saw of one step, in the words that expectations use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tzzr_scenarios.language.models import Expect
from tzzr_scenarios.matchers import MISSING, Difference, matcher, shown

PREFIX = "tzzr/"


@dataclass(frozen=True)
class Observation:
    """One step's outcome. ``error`` is a tool's, ``protocol_error`` JSON-RPC's; both None when it succeeded."""

    text: str = ""
    structured: Mapping[str, Any] | None = None
    data: Any = MISSING
    meta: Mapping[str, Any] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    protocol_error: Mapping[str, Any] | None = None
    progress: Sequence[str] = ()
    values: Sequence[str] = ()
    elapsed: float = 0.0

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


def differences(expect: Expect, seen: Observation) -> Iterator[Difference]:
    """Every difference between what was expected and what was seen."""
    yield from _outcome(expect, seen)
    structured = seen.structured or {}
    looked_at = {
        "text": seen.text,
        "data": seen.data,
        "structured": seen.structured if seen.structured is not None else MISSING,
        "tables": structured.get("tables", MISSING),
        "charts": structured.get("charts", MISSING),
        "notice": structured.get("notice", MISSING),
        "meta": dict(seen.meta),
        "takes": round(seen.elapsed, 6),
        "progress": list(seen.progress),
        "values": list(seen.values),
    }
    for name, value in looked_at.items():
        if name in expect.model_fields_set:
            yield from matcher(getattr(expect, name)).differences(value, name)
    if expect.source is not None:
        wanted = {name: getattr(expect.source, name) for name in expect.source.model_fields_set}
        yield from matcher(wanted).differences(structured.get("source", MISSING), "source")
    yield from _trail(expect, seen)


def _outcome(expect: Expect, seen: Observation) -> Iterator[Difference]:
    for name in ("error", "protocol_error"):
        got = getattr(seen, name)
        if name in expect.model_fields_set:
            yield from _failure(getattr(expect, name), got, name)
        elif got is not None:
            yield Difference(name, "success", f"{got.get('code')}: {got.get('message')}")


def _failure(wanted: Any, got: Mapping[str, Any] | None, name: str) -> Iterator[Difference]:
    """A scalar, or a mapping of operators, is about the code; a mapping of parts about the parts."""
    if got is None:
        yield Difference(name, shown(wanted), "success")
        return
    by_part = isinstance(wanted, Mapping) and bool(wanted.keys() & {"code", "message", "retryable", "details", "data"})
    value, path = (dict(got), name) if by_part else (got.get("code"), f"{name}.code")
    yield from matcher(wanted).differences(value, path)


def _trail(expect: Expect, seen: Observation) -> Iterator[Difference]:
    if expect.hops is not None and seen.hops != expect.hops:
        yield Difference("hops", " → ".join(expect.hops) or "none", " → ".join(seen.hops) or "none")
    if expect.within is not None and seen.elapsed > expect.within:
        yield Difference("within", f"at most {expect.within:g} s", f"{seen.elapsed:g} s")
