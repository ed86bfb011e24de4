"""A change, and how heavy it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Weight(IntEnum):
    """What a change asks of those who rely on what was there; a heavier one is greater."""

    WORDING = 1
    """Nothing; but a model may choose otherwise, because it reads other words."""
    ADDITIVE = 2
    """Nothing; they can do more."""
    BREAKING = 3
    """What worked may not work any more."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Change:
    """``where`` is the path in the surface, ``told`` what happened there in words; ``old`` and ``new`` are None for nothing.

    ``demand`` is what must be done about it beside a fragment of the changelog; empty for nothing.
    """

    weight: Weight
    where: str
    told: str
    old: Any = None
    new: Any = None
    demand: str = ""

    @property
    def thing(self) -> str:
        """What has changed, by the name that its users know: of ``tools/ocr/title`` it is ``ocr``."""
        return unquoted(self.where.split("/")[1] if "/" in self.where else self.where)


def quoted(name: str) -> str:
    """A name as one step of a path (a JSON Pointer's way to write a slash)."""
    return name.replace("~", "~0").replace("/", "~1")


def unquoted(step: str) -> str:
    """The name that a step of a path stands for."""
    return step.replace("~1", "/").replace("~0", "~")
