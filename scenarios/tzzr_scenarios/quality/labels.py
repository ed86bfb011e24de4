"""Counting labels: accuracy, and the mean over labels of F1, so that a rare label weighs as much as a frequent one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from tzzr_scenarios.quality.corpus import LabelledText
from tzzr_scenarios.quality.score import Miss

__all__ = ["Labelled", "accuracy", "macro_f1", "misses_of"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and the label that came; "" when none did."""

    text: LabelledText
    came: str

    @property
    def right(self) -> bool:
        """Whether it is the true one."""
        return self.came == self.text.label


def accuracy(judged: Sequence[Labelled]) -> float:
    """The share that is right."""
    return fmean(one.right for one in judged)


def macro_f1(judged: Sequence[Labelled]) -> float:
    """The mean of the F1 of every true label."""
    return fmean(_f1(judged, label) for label in dict.fromkeys(one.text.label for one in judged))


def _f1(judged: Sequence[Labelled], label: str) -> float:
    right = sum(one.right for one in judged if one.text.label == label)
    came = sum(one.came == label for one in judged)
    true = sum(one.text.label == label for one in judged)
    return 2 * right / (came + true)


def misses_of(judged: Sequence[Labelled], what: str) -> list[Miss]:
    """What was labelled wrongly; the text stands in the place of the sample."""
    return [Miss(one.text.text, what, one.text.label, one.came or "nothing") for one in judged if not one.right]
