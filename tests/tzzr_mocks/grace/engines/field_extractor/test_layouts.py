"""Whatever an invoice says, in each of fourteen layouts, the extractor gives back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from tzzr_mocks.grace.engines import Work, engine_for

from .facts import Facts, Style, facts, styles
from .layouts import LAYOUTS


def extracted(text: str) -> dict[str, Any]:
    return engine_for("FIELD_EXTRACTOR")(Work("FIELD_EXTRACTOR", content=text)).result


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=12, deadline=None)
@given(invoice=facts(), style=styles)
def test_every_field_of_an_invoice_is_found(layout: str, invoice: Facts, style: Style) -> None:
    result = extracted(LAYOUTS[layout](invoice, style))
    assert {field["name"]: field["value"] for field in result["fields"]} == invoice.expected()
    assert [field["name"] for field in result["fields"] if field["valid"] is False] == []
    assert result["taxes"] == [
        {"base": f"{invoice.base:.2f}", "rate": f"{invoice.rate:.2f}", "amount": f"{invoice.vat:.2f}"}
    ]


@pytest.mark.parametrize("layout", ["labels_in_line", "two_columns", "bars", "single_spaces", "noisy"])
@settings(max_examples=12, deadline=None)
@given(invoice=facts(), style=styles)
def test_every_row_of_an_invoice_is_found(layout: str, invoice: Facts, style: Style) -> None:
    lines = extracted(LAYOUTS[layout](invoice, style))["lines"]
    assert lines == [
        {
            "description": row.description,
            "quantity": str(row.quantity),
            "unit_price": f"{row.price:.2f}",
            "amount": f"{row.amount:.2f}",
        }
        for row in invoice.rows
    ]
