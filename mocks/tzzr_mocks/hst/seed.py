"""Named starting worlds: which rows the collections begin with."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from importlib import resources
from typing import Any

from tzzr_mocks.control.errors import unknown
from tzzr_mocks.hst import tags
from tzzr_mocks.hst.schemas import LIBRARIES

Row = dict[str, Any]


def recorded_rows(library: str) -> Iterator[Row]:
    """The rows over which a real Directus was recorded, with their ids (see ``recorded/SOURCE.md``)."""
    packed = resources.files("tzzr_mocks.hst.recorded").joinpath(f"tags_{library}.jsonl.gz").read_bytes()
    return map(json.loads, gzip.decompress(packed).decode().splitlines())


def no_rows(library: str) -> Iterator[Row]:
    """Empty collections."""
    return iter(())


def many_rows(library: str) -> Iterator[Row]:
    """200,000 rows of ``hst``, the product's own tags over and over with refs of their own; the others as ever."""
    rows = tags.rows(library)
    if library != "hst":
        yield from rows
        return
    for number in range(200_000):
        row = rows[number % len(rows)]
        yield {**row, "id": number + 1, "ref": row["ref"] if number < len(rows) else f"{row['ref']}-{number}"}


STARTING: dict[str, Callable[[str], Iterator[Row]]] = {
    "default": lambda library: iter(tags.rows(library)),
    "recorded": recorded_rows,
    "empty": no_rows,
    "many": many_rows,
}
"""Rows of one library, by the starting world's name."""


def starting_rows(name: str) -> dict[str, Iterator[Row]]:
    """The rows of every collection in the starting world ``name``.

    Raises:
        PlanError: there is no such world; the message names the nearest.
    """
    if name not in STARTING:
        raise unknown("starting world of hst", name, STARTING)
    return {f"tags_{library}": STARTING[name](library) for library in LIBRARIES}
