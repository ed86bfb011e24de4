"""Where two JSON values part, leaf by leaf."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tzzr_mocks.hst.conformance.verdict import NOTHING, Difference


def apart(recorded: Any, came: Any, part: str) -> Iterator[Difference]:
    """Each leaf that differs; of lists that are not of one length, the lengths and the first item that differs.

    The order of an object's keys does not count; true is not 1.
    """
    if isinstance(recorded, dict) and isinstance(came, dict):
        for key in recorded | came:
            yield from apart(recorded.get(key, NOTHING), came.get(key, NOTHING), f"{part}.{key}")
    elif isinstance(recorded, list) and isinstance(came, list):
        yield from _lists_apart(recorded, came, part)
    elif recorded != came or isinstance(recorded, bool) != isinstance(came, bool):
        yield Difference(part, recorded, came)


def _lists_apart(recorded: list[Any], came: list[Any], part: str) -> Iterator[Difference]:
    found = (
        difference
        for place, (one, other) in enumerate(zip(recorded, came, strict=False))
        for difference in apart(one, other, f"{part}[{place}]")
    )
    if len(recorded) == len(came):
        yield from found
        return
    yield Difference(f"{part}.length", len(recorded), len(came))
    first = next(found, None)
    if first:
        yield first
