"""How values are compared and counted."""

from __future__ import annotations

from typing import Any

import pytest

from tzzr_scenarios.quality.invoices.generator import samples
from tzzr_scenarios.quality.score import MEASURED, Score, came_of, compare, truth_of

[PAPER] = samples(1, 5)
TRUTH = truth_of(PAPER.invoice)


def perfect() -> dict[str, Any]:
    """The result of a service that reads the paper as it is."""
    invoice = PAPER.invoice
    rows = [(row.description, row.quantity, row.price, row.amount) for row in invoice.rows]
    return {
        "fields": [{"name": name, "value": value} for name, value in invoice.fields().items()],
        "taxes": [{"base": str(t.base), "rate": str(t.rate), "amount": str(t.amount)} for t in invoice.taxes],
        "lines": [dict(zip(("description", "quantity", "unit_price", "amount"), map(str, row), strict=True)) for row in rows],
    }  # fmt: skip


def counted(result: dict[str, Any], what: str) -> tuple[int, int, int]:
    score = compare("it", TRUTH, came_of(result))[what]
    return score.right, score.wrong, score.missed


def with_value(name: str, value: str | None) -> dict[str, Any]:
    result = perfect()
    result["fields"] = [one for one in result["fields"] if one["name"] != name] + [{"name": name, "value": value}]
    return result


def test_what_is_read_as_it_is_has_no_misses() -> None:
    scores = compare("it", TRUTH, came_of(perfect()))

    assert [miss for score in scores.values() for miss in score.misses] == []
    assert all(score.precision == score.recall == 1 for score in scores.values())


def test_a_wrong_value_is_wrong_and_missed() -> None:
    assert counted(with_value("total", "1.23"), "total") == (0, 1, 1)


def test_a_value_that_did_not_come_is_missed_alone() -> None:
    assert counted(with_value("total", None), "total") == (0, 0, 1)


def test_a_wrong_figure_makes_a_row_wrong() -> None:
    result = perfect()
    result["lines"][0]["amount"] = "0.01"

    assert counted(result, "lines") == (len(PAPER.invoice.rows) - 1, 1, 1)


@pytest.mark.parametrize(
    ("name", "say_the_same"),
    [
        ("emisor_nif", lambda value: f"es {value}".lower()),
        ("emisor_nombre", lambda value: f"  {value.upper().replace(' ', '  ')}."),
        ("total", lambda value: f"{value}0"),
        ("numero_factura", lambda value: f" {value} "),
    ],
)
def test_another_way_to_write_a_value_is_right(name: str, say_the_same: Any) -> None:
    assert counted(with_value(name, say_the_same(PAPER.invoice.fields()[name])), name) == (1, 0, 0)


@pytest.mark.parametrize("result", [{}, {"fields": None, "taxes": 3, "lines": ["x"]}, {"fields": [{"value": "1"}]}])
def test_what_has_not_the_form_is_not_there(result: dict[str, Any]) -> None:
    scores = compare("it", TRUTH, came_of(result))

    assert sum(score.right + score.wrong for score in scores.values()) == 0
    assert scores["total"].missed == 1


def test_scores_add_up() -> None:
    added = Score(right=3, wrong=1)
    added += Score(right=1, missed=4)

    assert (added.precision, added.recall) == (4 / 5, 4 / 8)


def test_the_fourteen_fields_the_taxes_and_the_rows_are_measured() -> None:
    assert (len(MEASURED), MEASURED[-2:]) == (16, ("taxes", "lines"))
