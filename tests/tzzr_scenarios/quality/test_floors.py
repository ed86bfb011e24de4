"""No field, language or kind of document may be read worse than it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tests.tzzr_scenarios.quality import floors
from tzzr_scenarios.commands.quality import COUNT, SEED
from tzzr_scenarios.quality.corpus import TASKS
from tzzr_scenarios.quality.invoices.generator import samples
from tzzr_scenarios.quality.labels import accuracy, macro_f1, misses_of
from tzzr_scenarios.quality.measure import Reading, measure_invoices, measure_task, scores_of
from tzzr_scenarios.quality.reader import EngineReader
from tzzr_scenarios.quality.score import MEASURED, Miss

QUICK = 20
EXAMPLES = 3


def under(what: str, measured: float, floor: float, misses: Sequence[Miss]) -> Iterator[str]:
    """What to say of a figure under its floor: field, floor, measured, and three examples that failed."""
    if 100 * measured < floor:
        yield f"{what}: {100 * measured:.1f} % is under the floor of {floor} %"
        yield from (
            f"    {miss.what} in {miss.sample!r:.80}: {miss.true} is true, {miss.came} came"
            for miss in misses[:EXAMPLES]
        )


def fields_under(readings: Sequence[Reading], floor_of: dict[str, tuple[int, int]]) -> list[str]:
    scores = scores_of(readings)
    told: list[str] = []
    for what, (precision, recall) in floor_of.items():
        told += under(f"precision of {what}", scores[what].precision, precision, scores[what].misses)
        told += under(f"recall of {what}", scores[what].recall, recall, scores[what].misses)
    return told


async def test_a_few_invoices_are_read_as_they_are() -> None:
    readings = [
        one for one in await measure_invoices(EngineReader(), samples(QUICK, SEED)) if not one.sample.layout.held_out
    ]
    added = scores_of(readings)
    right = sum(score.right for score in added.values())
    off = sum(score.wrong + score.missed for score in added.values())
    misses = [miss for score in added.values() for miss in score.misses]

    told = [*under("clean and noisy, all fields", right / (right + off), 97, misses)]
    assert not told, "\n".join(told)
    clean = scores_of(one for one in readings if not one.sample.noises)
    assert [miss for score in clean.values() for miss in score.misses] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("held_out", "floor_of"), [(False, floors.FIELDS), (True, floors.HELD_OUT)], ids=["bettered with", "held out"]
)
async def test_every_field_of_three_hundred_invoices_keeps_its_floor(
    held_out: bool, floor_of: dict[str, tuple[int, int]]
) -> None:
    papers = [paper for paper in samples(COUNT, SEED) if paper.layout.held_out is held_out]
    readings = await measure_invoices(EngineReader(), papers)

    assert set(floor_of) == set(MEASURED)
    told = fields_under(readings, floor_of)
    assert not told, "\n".join(told)


@pytest.mark.parametrize("name", [pytest.param("languages", marks=pytest.mark.slow), "kinds", "themes"])
async def test_every_group_of_texts_keeps_its_floor(name: str) -> None:
    judged = await measure_task(EngineReader(), TASKS[name])
    told: list[str] = []
    for group in dict.fromkeys(one.text.group for one in judged):
        some = [one for one in judged if one.text.group == group]
        for kind, measured, floor in zip(
            ("accuracy", "macro-F1"), (accuracy(some), macro_f1(some)), floors.LABELS[name, group], strict=True
        ):
            told += under(f"{kind} of {name}, {group}", measured, floor, misses_of(some, name))
    assert not told, "\n".join(told)


def test_what_is_under_its_floor_is_told_with_three_examples() -> None:
    misses = [Miss(f"ticket-{place}", "total", "12", "nothing") for place in range(5)]

    head, *examples = under("recall of total", 0.9, 95, misses)
    assert head == "recall of total: 90.0 % is under the floor of 95 %"
    assert examples == [f"    total in 'ticket-{place}': 12 is true, nothing came" for place in range(3)]
    assert [*under("recall of total", 0.95, 95, misses)] == []
