"""What is too long or too odd to stand in a scenario: documents in a folder beside it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tzzr_scenarios.recording.secrets import was_cut

LONG_ARGUMENT = 240
"""Characters beyond which an argument becomes a document."""
MOST_BYTES = 8 << 20
"""Bytes of a file that is copied; a call carries 7 MiB at most."""
_KINDS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"%PDF": "pdf", b"RIFF": "wav", b"ID3": "mp3", b"OggS": "ogg"}


@dataclass
class Documents:
    """The documents of one scenario: ``folder`` is their folder's name, ``roots`` where `archivo` was read from."""

    folder: str
    roots: tuple[Path, ...] = ()
    made: dict[str, bytes] = field(default_factory=dict)
    laid: dict[str, str] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call as a scenario says them."""
        return {name: self._argument(name, value) for name, value in given.items()}

    def _argument(self, name: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.arguments(value)
        if isinstance(value, list):
            return [self._argument(name, item) for item in value]
        return self._text(name, value) if isinstance(value, str) else value

    def _text(self, name: str, value: str) -> Any:
        if was_cut(value):
            self.troubles.append(f"{name} was cut when it was recorded; put the whole of it in its place")
        if name == "archivo":
            return self._copied(value)
        decoded = _decoded(value) if name.endswith("_base64") else None
        if decoded is not None:
            return {"base64": self._put(decoded, _kind(decoded))}
        if len(value) > LONG_ARGUMENT or "${" in value:
            return {"file": self._put(value.encode("utf-8"), "txt")}
        return value

    def _put(self, content: bytes, kind: str) -> str:
        """The name of a document with this content; the same content is put there once."""
        for name, made in self.made.items():
            if made == content:
                return f"{self.folder}/{name}"
        name = f"{len(self.made) + 1}.{kind}"
        self.made[name] = content
        return f"{self.folder}/{name}"

    def _copied(self, value: str) -> str:
        """A file of the server's machine, laid out for the scenario when it is there to be copied."""
        for root in (Path(), *self.roots):
            path = root / value
            if path.is_file() and path.stat().st_size <= MOST_BYTES:
                self.laid[path.name] = self._put(path.read_bytes(), path.suffix.lstrip(".") or "bin")
                return path.name
        self.troubles.append(f"archivo {value}: the file is not here; lay it out with given.files")
        return value

    def write(self, beside: Path) -> None:
        """Write the documents into their folder."""
        for name, content in self.made.items():
            path = beside / self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _decoded(value: str) -> bytes | None:
    """The bytes of a Base64 text, when it comes back as it was."""
    try:
        content = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None
    return content if content and base64.b64encode(content).decode("ascii") == value else None


def _kind(content: bytes) -> str:
    return next((kind for magic, kind in _KINDS.items() if content.startswith(magic)), "bin")
