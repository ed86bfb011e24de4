"""Accuracy, macro-F1 and the labelled texts."""

from __future__ import annotations

import pytest

from tzzr_mocks.grace.engines.lang_detect import LANGUAGES
from tzzr_scenarios.quality.corpus import TASKS, LabelledText
from tzzr_scenarios.quality.labels import Labelled, accuracy, macro_f1, misses_of


def judged(*pairs: tuple[str, str]) -> list[Labelled]:
    return [Labelled(LabelledText(str(place), "t", true, "g"), came) for place, (true, came) in enumerate(pairs)]


def test_figures_are_those_counted_by_hand() -> None:
    some = judged(("es", "es"), ("es", "es"), ("es", "gl"), ("gl", "gl"))

    assert accuracy(some) == 0.75
    assert macro_f1(some) == pytest.approx((0.8 + 2 / 3) / 2)
    assert [(miss.true, miss.came) for miss in misses_of(some, "languages")] == [("es", "gl")]


def test_a_rare_label_that_is_never_told_costs_its_whole_share() -> None:
    some = judged(*[("es", "es")] * 9, ("gl", ""))

    assert accuracy(some) == 0.9
    assert macro_f1(some) == pytest.approx(0.5)


@pytest.mark.parametrize(("name", "labels", "texts"), [("languages", 12, 288), ("kinds", 18, 72), ("themes", 8, 32)])
def test_every_label_has_as_many_texts_as_the_others(name: str, labels: int, texts: int) -> None:
    task = TASKS[name]
    counts = {label: sum(text.label == label for text in task.texts) for label in task.labels}

    assert (len(task.labels), len(task.texts)) == (labels, texts)
    assert len(set(counts.values())) == 1
    assert len({text.id for text in task.texts}) == texts


def test_the_languages_are_among_those_that_the_engine_tells_apart() -> None:
    assert set(TASKS["languages"].labels) <= set(LANGUAGES)


def test_neighbours_of_spanish_are_among_the_languages() -> None:
    assert {"es", "ca", "gl", "pt", "eu"} <= set(TASKS["languages"].labels)
