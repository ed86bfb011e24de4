"""Recorded requests and answers, read from folders of ``NN_theme.jsonl.gz`` files."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

CORPUS = Path(__file__).with_name("corpus")
"""The cases that change nothing, under default settings; ``corpus/SOURCE.md`` tells where they come from."""

_READING = frozenset({"GET", "HEAD", "OPTIONS", "SEARCH"})
_SLOT = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True)
class Case:
    """One recorded request and its answer, as the file has them."""

    id: str
    group: str
    token: str
    request: Mapping[str, Any]
    response: Mapping[str, Any]

    @property
    def theme(self) -> str:
        """The file's number: ``04``."""
        return self.id[:2]

    @property
    def replayable(self) -> bool:
        """Whether the request is there in full, and a client can send it."""
        cut = "query_note" in self.request or "characters>" in json.dumps(dict(self.request), ensure_ascii=False)
        return not cut and self.response.get("status") not in (None, 431)

    @property
    def read_only(self) -> bool:
        """Whether the request changes nothing, on the server or on a proxy before it."""
        overridden = any("method-override" in name.lower() for name in self.request.get("headers", {}))
        return self.request["method"] in _READING and not overridden

    @property
    def ages(self) -> bool:
        """Whether the answer depends on the day on which the request is sent."""
        return "$NOW" in unquote(json.dumps(dict(self.request)))

    @property
    def needs(self) -> set[str]:
        """The names of the tokens and values that the request takes."""
        return {*_SLOT.findall(json.dumps(dict(self.request))), self.token} - {"none"}

    def headers(self, slots: Mapping[str, str]) -> dict[str, str]:
        """The request's headers, tokens filled in."""
        found: dict[str, str] = {}
        if self.token != "none":
            found["authorization"] = f"{self.request.get('auth_scheme', 'Bearer')} {slots[self.token]}"
        if "body" in self.request:
            found["content-type"] = "application/json"
        return found | {name.lower(): fill(value, slots) for name, value in self.request.get("headers", {}).items()}

    def content(self, slots: Mapping[str, str]) -> bytes:
        """The request's body, tokens filled in."""
        if "body" in self.request:
            return fill(json.dumps(self.request["body"], ensure_ascii=False), slots).encode()
        return str(self.request.get("raw_body", "")).encode()

    def query(self, slots: Mapping[str, str]) -> str:
        """The request's query string, tokens filled in."""
        return fill(self.request.get("query", ""), slots)


def fill(text: str, slots: Mapping[str, str]) -> str:
    """``${name}`` replaced by the token or value of that name, where there is one."""
    return _SLOT.sub(lambda found: slots.get(found[1], found[0]), text)


def read_cases(*folders: Path) -> list[Case]:
    """Every case of some folders, in the order of recording; those of the package when none is named."""
    entries = (entry for folder in folders or (CORPUS,) for path in folder.glob("[0-9]*") for entry in _lines(path))
    cases = [
        Case(entry["id"], entry["group"], entry["token"], entry["request"], entry["response"]) for entry in entries
    ]
    return sorted(cases, key=lambda case: case.id)


def read_tokens() -> dict[str, str]:
    """The tokens of the recorded accounts, by the names that the cases use."""
    index: dict[str, Any] = json.loads((CORPUS / "index.json").read_text(encoding="utf-8"))
    return dict(index["tokens"])


def on_postgres(cases: Iterable[Case], *folders: Path) -> list[Case]:
    """The cases with what PostgreSQL answered otherwise, of the package and of some more folders."""
    paths = [folder / "differences_pg.jsonl.gz" for folder in (CORPUS, *folders)]
    other = {entry["id"]: entry["response"] for path in paths for entry in _lines(path)}
    return [replace(case, response=other.get(case.id, case.response)) for case in cases]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, gzip.decompress(path.read_bytes()).decode().splitlines())
