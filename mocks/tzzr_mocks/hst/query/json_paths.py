"""Paths into a JSON column: ``color``, ``nota.es``, ``fuentes[0]``, ``[0]``."""

from __future__ import annotations

import re

from tzzr_mocks.hst.errors import invalid_query

_PATH = re.compile(r"(?:\w+|\[\d+\])(?:\.\w+|\[\d+\])*", re.ASCII)
_STEP = re.compile(r"\w+", re.ASCII)


def steps(path: str) -> list[str]:
    """The names and indexes of a path.

    Raises:
        Refusal: 400, anything but names and indexes.
    """
    if not _PATH.fullmatch(path):
        raise invalid_query("Invalid JSON path: unsupported path expression")
    return _STEP.findall(path)


def sqlite_path(path: str) -> str:
    """``fuentes[0]`` as SQLite's ``$."fuentes"[0]``; a number is always an index."""
    return "$" + "".join(f"[{step}]" if step.isdecimal() else f'."{step}"' for step in steps(path))
