"""The hand-written example contracts, as the tests take them.

`KIND/valid/*.json` are whole documents (a response stands beside the name of the request it answers);
`KIND/invalid.json` lists what makes one of them wrong: `set` and `remove` by JSON Pointer, where the error is
reported (`pointer`), and whether it is beyond what a JSON Schema can say.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "examples"


@dataclass(frozen=True)
class Wrong:
    """A document with one mistake, and where the mistake is."""

    why: str
    of: str
    document: Any
    pointer: str
    beyond_schema: bool


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def valid_requests() -> dict[str, Any]:
    return {path.stem: _read(path) for path in sorted((FOLDER / "requests" / "valid").glob("*.json"))}


def valid_responses() -> dict[str, tuple[Any, Any]]:
    """Name to (the request's document, the response's)."""
    requests = valid_requests()
    pairs = {path.stem: _read(path) for path in sorted((FOLDER / "responses" / "valid").glob("*.json"))}
    return {name: (requests[pair["request"]], pair["response"]) for name, pair in pairs.items()}


def wrong_requests() -> list[Wrong]:
    return [_wrong(case, valid_requests()) for case in _read(FOLDER / "requests" / "invalid.json")]


def wrong_responses() -> list[Wrong]:
    documents = {name: response for name, (_, response) in valid_responses().items()}
    return [_wrong(case, documents) for case in _read(FOLDER / "responses" / "invalid.json")]


def _wrong(case: dict[str, Any], documents: dict[str, Any]) -> Wrong:
    document = copy.deepcopy(documents[case["of"]])
    for pointer, value in case.get("set", {}).items():
        parent, name = _parent(document, pointer)
        parent[name] = value
    for pointer in case.get("remove", []):
        parent, name = _parent(document, pointer)
        del parent[name]
    return Wrong(case["why"], case["of"], document, case["pointer"], case.get("beyond_schema", False))


def _parent(document: Any, pointer: str) -> tuple[Any, Any]:
    *way, last = pointer.split("/")[1:]
    for name in way:
        document = document[int(name)] if isinstance(document, list) else document[name]
    return document, int(last) if isinstance(document, list) else last
