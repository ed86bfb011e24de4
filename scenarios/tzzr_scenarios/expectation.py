"""What a client saw of one step, compared with what the step expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tzzr_scenarios.language.models import Expect
from tzzr_scenarios.matchers import MISSING, Difference, matcher, shown
from tzzr_scenarios.observation import Observation


def differences(expect: Expect, seen: Observation) -> Iterator[Difference]:
    """Every difference between what was expected and what was seen."""
    yield from _outcome(expect, seen)
    structured = seen.structured or {}
    looked_at = {
        "text": seen.text,
        "data": seen.data,
        "structured": seen.structured if seen.structured is not None else MISSING,
        **_shown(seen, structured),
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


def _shown(seen: Observation, structured: Mapping[str, Any]) -> dict[str, Any]:
    """What stands beside the words: of a tool's result, or of a turn of the chat."""
    beside = structured if seen.chat is None else seen.chat
    names = ("tables", "charts", "links", "tools", "notices", "stopped", "usage")
    return {name: beside.get(name, MISSING) for name in names}


def _outcome(expect: Expect, seen: Observation) -> Iterator[Difference]:
    """Success where nothing is said of the outcome."""
    either = "outcome" in expect.model_fields_set
    if either:
        yield from matcher(expect.outcome).differences(seen.outcome, "outcome")
    for name in ("error", "protocol_error"):
        got = getattr(seen, name)
        if name in expect.model_fields_set:
            yield from _failure(getattr(expect, name), got, name)
        elif got is not None and not either:
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
