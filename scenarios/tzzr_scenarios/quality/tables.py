"""The tables, as rows of words: for a terminal, for a page of the docs, and as objects for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tzzr_scenarios.quality.labels import Labelled, accuracy, macro_f1
from tzzr_scenarios.quality.measure import GROUPS, Reading, scores_of

__all__ = ["field_lines", "field_table", "label_lines", "label_table"]

Rows = list[list[str]]


def field_table(readings: Sequence[Reading]) -> Rows:
    """A head and a row per field: precision and recall in per cent, over all papers and in each group that has some."""
    groups = {name: [one for one in readings if belongs(one.sample)] for name, belongs in GROUPS.items()}
    scores = {name: scores_of(some) for name, some in groups.items() if some}
    head = ["", *(f"{name} ({len(groups[name])})" for name in scores)]
    return [head, *([what, *(_pair(scores[name][what].precision, scores[name][what].recall) for name in scores)]
                    for what in next(iter(scores.values()), {}))]  # fmt: skip


def label_table(judged: Sequence[Labelled]) -> Rows:
    """A head and a row per group of texts: accuracy and macro-F1 in per cent."""
    return [["", "texts", "accuracy", "macro-F1"],
            *([group, str(len(some)), _share(accuracy(some)), _share(macro_f1(some))] for group, some in _groups(judged))]  # fmt: skip


def field_lines(readings: Sequence[Reading]) -> Iterator[dict[str, Any]]:
    """One object for each field in each group."""
    for name, belongs in GROUPS.items():
        some = [one for one in readings if belongs(one.sample)]
        for what, score in scores_of(some).items() if some else ():
            counts = {"right": score.right, "wrong": score.wrong, "missed": score.missed}
            yield {"event": "field", "field": what, "group": name, "invoices": len(some),
                   "precision": round(score.precision, 4), "recall": round(score.recall, 4), **counts}  # fmt: skip


def label_lines(task: str, judged: Sequence[Labelled]) -> Iterator[dict[str, Any]]:
    """One object for each group of a task's texts."""
    for group, some in _groups(judged):
        yield {"event": "labels", "task": task, "group": group, "texts": len(some),
               "accuracy": round(accuracy(some), 4), "macro_f1": round(macro_f1(some), 4)}  # fmt: skip


def _groups(judged: Sequence[Labelled]) -> Iterator[tuple[str, list[Labelled]]]:
    for group in dict.fromkeys(one.text.group for one in judged):
        yield group, [one for one in judged if one.text.group == group]


def _pair(precision: float, recall: float) -> str:
    return f"{_share(precision)}/{_share(recall)}"


def _share(value: float) -> str:
    """In per cent; 100 is all of it, and nothing less is rounded to that."""
    return "100" if value == 1 else f"{min(99.9, 100 * value):.1f}"
