"""Measuring a reader: every invoice and every text once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tzzr_scenarios.quality.corpus import Task
from tzzr_scenarios.quality.invoices.sample import Sample
from tzzr_scenarios.quality.labels import Labelled
from tzzr_scenarios.quality.reader import Reader
from tzzr_scenarios.quality.score import MEASURED, Score, came_of, compare, truth_of

__all__ = ["GROUPS", "Reading", "measure_invoices", "measure_task", "scores_of"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper that was read, and a score for each measured thing."""

    sample: Sample
    scores: dict[str, Score]


GROUPS: Final[dict[str, Callable[[Sample], bool]]] = {
    "all": lambda sample: True,
    "clean": lambda sample: not sample.noises and not sample.layout.held_out,
    "with noise": lambda sample: bool(sample.noises) and not sample.layout.held_out,
    "held out, clean": lambda sample: not sample.noises and sample.layout.held_out,
    "held out, with noise": lambda sample: bool(sample.noises) and sample.layout.held_out,
}
"""The groups of papers that a table tells apart; the layouts that are not held out are meant where nothing is said."""


def _nothing() -> None:
    """Nobody watches."""


async def measure_invoices(
    reader: Reader, samples: Iterable[Sample], done: Callable[[], None] = _nothing
) -> list[Reading]:
    """Read every paper; ``done`` is called after each."""
    readings = []
    for sample in samples:
        came = came_of(await reader.read("FIELD_EXTRACTOR", sample.text, {}))
        readings.append(Reading(sample, compare(sample.id, truth_of(sample.invoice), came)))
        done()
    return readings


async def measure_task(reader: Reader, task: Task, done: Callable[[], None] = _nothing) -> list[Labelled]:
    """Have every text of a task labelled; ``done`` is called after each."""
    judged = []
    for text in task.texts:
        result = await reader.read(task.module, text.text, task.params)
        judged.append(Labelled(text, str(result.get(task.member, ""))))
        done()
    return judged


def scores_of(readings: Iterable[Reading]) -> dict[str, Score]:
    """The scores of many papers added up, by what was measured."""
    added = {what: Score() for what in MEASURED}
    for reading in readings:
        for what, score in reading.scores.items():
            added[what] += score
    return added
