"""What ``tzzr new`` writes: one folder per kind, whose files end in ``.txt`` and say ``@NAME@`` for the name."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

_SUFFIX = ".txt"
_NAME = "@NAME@"


def filled(kind: str, name: str) -> dict[str, str]:
    """The files of one kind: path within the folder that is made, and text, with the name in both."""
    root = resources.files(__name__) / kind
    texts = {path.removesuffix(_SUFFIX): file.read_text("utf-8") for path, file in _files(root)}
    return {path.replace(_NAME, name): text.replace(_NAME, name) for path, text in sorted(texts.items())}


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        path = f"{above}{entry.name}"
        if entry.is_dir():
            yield from _files(entry, f"{path}/")
        elif entry.name.endswith(_SUFFIX):
            yield path, entry
