"""Recorded requests and answers, read from a folder of ``NN_theme.jsonl.gz`` files."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


def read_cases(folder: Path) -> Iterator[Case]:
    """Every case of a folder, in the order of recording."""
    for path in sorted(folder.glob("[0-9]*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            entry = json.loads(line)
            yield Case(entry["id"], entry["group"], entry["token"], entry["request"], entry["response"])


def read_tokens(folder: Path) -> dict[str, str]:
    """The tokens by the names that the cases use."""
    index: dict[str, Any] = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return dict(index["tokens"])


def read_differences(folder: Path, name: str) -> dict[str, Mapping[str, Any]]:
    """What another server answered otherwise, by case id."""
    packed = (folder / f"differences_{name}.jsonl.gz").read_bytes()
    entries = map(json.loads, gzip.decompress(packed).decode().splitlines())
    return {entry["id"]: entry["response"] for entry in entries}
