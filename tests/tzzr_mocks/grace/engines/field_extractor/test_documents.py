"""The documents of the scenarios: every field of every invoice, against the truth that was written by hand."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from tzzr_mocks.grace.engines import Work, engine_for

DOCUMENTS = Path(__file__).parents[5] / "scenarios" / "documents"
TRUTH: dict[str, Any] = yaml.safe_load((DOCUMENTS / "facturas.yaml").read_text(encoding="utf-8"))


def extracted(name: str) -> tuple[str, dict[str, Any]]:
    text = (DOCUMENTS / "facturas" / f"{name}.txt").read_text(encoding="utf-8")
    return text, engine_for("FIELD_EXTRACTOR")(Work("FIELD_EXTRACTOR", content=text)).result


def figures(line: dict[str, Any]) -> list[Any]:
    numbers = [None if line[key] is None else Decimal(line[key]) for key in ("quantity", "unit_price", "amount")]
    return [line["description"], *numbers]


@pytest.mark.parametrize("name", TRUTH)
def test_the_extractor_reads_what_the_invoice_says(name: str) -> None:
    _, result = extracted(name)
    found = {field["name"]: field["value"] for field in result["fields"]}
    assert {key: found.get(key) for key in TRUTH[name]["fields"]} == TRUTH[name]["fields"]
    assert result["taxes"] == TRUTH[name]["taxes"]
    assert [figures(line) for line in result["lines"]] == [figures(line) for line in TRUTH[name]["lines"]]


@pytest.mark.parametrize("name", TRUTH)
def test_what_is_wrong_on_the_invoice_is_marked_and_nothing_else(name: str) -> None:
    _, result = extracted(name)
    wrong = [field["name"] for field in result["fields"] if field["valid"] is False]
    assert sorted(wrong) == sorted(TRUTH[name]["invalid"])


@pytest.mark.parametrize("name", TRUTH)
def test_the_raw_text_stands_at_its_span(name: str) -> None:
    text, result = extracted(name)
    for field in result["fields"]:
        if field["span"] is not None:
            start, end = field["span"]
            assert text[start:end] == field["raw"]
