"""A chart read back from its pixels."""

from __future__ import annotations

import re
from collections.abc import Mapping


def points(path: str) -> list[tuple[float, float]]:
    """The places that a path goes through, in pixels."""
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def bars(path: str) -> list[tuple[float, float]]:
    """Where each bar stands and ends, in pixels from the top."""
    return [(float(base), float(top)) for base, top in re.findall(r"M[-\d.]+ ([-\d.]+)V([-\d.]+)", path)]


def value(y: float, scale: Mapping[str, float]) -> float:
    """What a height in pixels says on the axis."""
    return scale["low"] + (scale["bottom"] - y) / (scale["bottom"] - scale["top"]) * (scale["high"] - scale["low"])


def heights(kind: str, path: str, scale: Mapping[str, float]) -> list[float]:
    """The values that a series of lines, areas or bars ends at; those of an area are the first half of its outline."""
    ends = [top for _, top in bars(path)] if kind == "bar" else [y for _, y in points(path)]
    return [value(y, scale) for y in (ends[: len(ends) // 2] if kind == "area" else ends)]
