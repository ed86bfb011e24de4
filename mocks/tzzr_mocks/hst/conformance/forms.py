"""Whether two answers are of one form, for a server that holds other rows than those of the recordings.

Refusals are compared word for word. Of everything else only the form counts: which keys an object has, of which kind a
value is. NULL and an empty list may be anything, and so may what is in a JSON field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tzzr_mocks.hst.conformance.parts import apart
from tzzr_mocks.hst.conformance.verdict import NOTHING, Difference

_FREE = frozenset({"metadatos", "project"})
"""Fields whose content is the operator's or the editor's."""

_KINDS: dict[type, str] = {
    bool: "boolean", int: "number", float: "number", str: "text", list: "list", dict: "object"
}  # fmt: skip


def unlike(want: Mapping[str, Any], came: Any) -> Iterator[Difference]:
    """Where an answer in JSON is of another form than the recorded response's body."""
    recorded = _body(want)
    if isinstance(recorded, dict) and isinstance(came, dict) and ("errors" in recorded or "errors" in came):
        yield from apart(recorded, came, "json")
    elif recorded is not NOTHING:
        yield from _unlike(recorded, came, "json")


def _body(want: Mapping[str, Any]) -> Any:
    trimmed = want.get("json_trimmed")
    if trimmed is None:
        return want.get("json", NOTHING)
    if "first3" not in trimmed:
        return NOTHING
    return trimmed["first3"] if trimmed["list"] == "$" else {trimmed["list"]: trimmed["first3"], **trimmed["rest"]}


def _unlike(recorded: Any, came: Any, part: str) -> Iterator[Difference]:
    if recorded is None or came is None:
        return
    if isinstance(recorded, dict) and isinstance(came, dict):
        yield from _objects(recorded, came, part)
    elif isinstance(recorded, list) and isinstance(came, list):
        if recorded and came:
            yield from _unlike(recorded[0], came[0], f"{part}[0]")
    elif _kind(recorded) != _kind(came):
        yield Difference(part, f"a {_kind(recorded)}", f"a {_kind(came)}")


def _objects(recorded: dict[str, Any], came: dict[str, Any], part: str) -> Iterator[Difference]:
    for key in recorded | came:
        if key not in recorded or key not in came:
            yield Difference(f"{part}.{key}", recorded.get(key, NOTHING), came.get(key, NOTHING))
        elif key not in _FREE:
            yield from _unlike(recorded[key], came[key], f"{part}.{key}")


def _kind(value: Any) -> str:
    return _KINDS[type(value)]
