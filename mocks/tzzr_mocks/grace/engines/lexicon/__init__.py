"""The word lists that the engines read: plain text files, ``#`` begins a comment line, blank lines are free."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

__all__ = ["lines", "sections", "words"]


def lines(name: str) -> Iterator[str]:
    """The lines of the list ``name``, stripped, without comments and blanks."""
    for line in files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if (clean := line.strip()) and not clean.startswith("#"):
            yield clean


@cache
def words(name: str) -> frozenset[str]:
    """The words of the list ``name``, however they stand on its lines."""
    return frozenset(word for line in lines(name) for word in line.split())


def sections(name: str) -> Iterator[tuple[str, list[str]]]:
    """The list ``name`` cut at its ``= heading`` lines: each heading with the lines under it."""
    heading, body = "", list[str]()
    for line in lines(name):
        if line.startswith("= "):
            if heading:
                yield heading, body
            heading, body = line[2:], []
        else:
            body.append(line)
    if heading:
        yield heading, body
