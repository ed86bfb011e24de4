"""What holds of every invoice that can be drawn: its arithmetic, its layouts, and what the extractor makes of it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.searching import examples
from tzzr_mcp.contract.catalogue import AMOUNT_FIELDS
from tzzr_mocks.grace.engines import Work, engine_for
from tzzr_scenarios.quality.invoices import LAYOUTS, Invoice, Kind, Writing
from tzzr_scenarios.quality.score import MEASURED, came_of, compare, truth_of
from tzzr_scenarios.strategies.invoices import Flawed, invoices, nearly_valid, writings

CENT = Decimal("0.01")
FEWER = settings(max_examples=examples(dev=7, ci=100))
EVERY_KIND = invoices(kinds=list(Kind))


def extracted(text: str) -> dict[str, Any]:
    return engine_for("FIELD_EXTRACTOR")(Work("FIELD_EXTRACTOR", content=text)).result


def written(invoice: Invoice, hand: Writing, layout: str) -> str:
    return LAYOUTS[layout].write(invoice, hand)


def layouts_for(kind: Kind) -> list[str]:
    return [name for name, layout in LAYOUTS.items() if layout.kind is kind]


@given(EVERY_KIND)
def test_an_invoice_adds_up(invoice: Invoice) -> None:
    event(invoice.kind)
    charged = sum(row.amount for row in invoice.rows)
    gross = invoice.base + invoice.vat

    assert invoice.total == gross + invoice.surcharge - invoice.withheld
    assert charged == (gross if invoice.kind is Kind.SIMPLIFIED else invoice.base)
    for tax in (*invoice.taxes, *invoice.surcharges):
        assert abs(tax.base * tax.rate / 100 - tax.amount) <= CENT


@FEWER
@given(invoices(), writings())
def test_the_plainest_layout_is_read_exactly(invoice: Invoice, hand: Writing) -> None:
    text = written(invoice, hand, "key_value")
    event(f"{len(invoice.taxes)} rates")
    scores = compare("it", truth_of(invoice), came_of(extracted(text)))

    assert [miss for what in MEASURED for miss in scores[what].misses] == [], text


@FEWER
@given(EVERY_KIND, writings(), st.data())
def test_a_layout_prints_what_it_is_measured_by(invoice: Invoice, hand: Writing, data: st.DataObject) -> None:
    text = written(invoice, hand, data.draw(st.sampled_from(layouts_for(invoice.kind))))
    recipient = [invoice.recipient.name, hand.tax_id(invoice.recipient.tax_id)] if invoice.recipient else []
    dates = [hand.day(when) for when in (invoice.issued, invoice.due) if when]
    amounts = [hand.figure(abs(value)) for value in (invoice.total, *(tax.amount for tax in invoice.taxes))]
    account = [hand.account(invoice.iban)] if invoice.iban else []
    rows = [word for row in invoice.rows for word in (row.description, hand.figure(abs(row.amount)))]

    printed = [
        invoice.issuer.name,
        hand.tax_id(invoice.issuer.tax_id),
        *recipient,
        invoice.number,
        *dates,
        *amounts,
        *account,
        *rows,
    ]
    assert [word for word in printed if word not in text] == [], text


@FEWER
@given(EVERY_KIND, writings(), st.data())
def test_nothing_is_invented(invoice: Invoice, hand: Writing, data: st.DataObject) -> None:
    text = written(invoice, hand, data.draw(st.sampled_from(layouts_for(invoice.kind))))
    result = extracted(text)

    for field in result["fields"]:
        if field["span"] is None:
            assert field["name"] in AMOUNT_FIELDS, f"{field['name']} has a value from nowhere"
        else:
            assert text[slice(*field["span"])] == field["raw"]
    for line in result["lines"]:
        assert line["description"] in text
        assert line["quantity"] is None or hand.quantity(Decimal(line["quantity"])).lstrip("-") in text
        assert hand.figure(abs(Decimal(line["amount"]))) in text


@FEWER
@given(nearly_valid())
def test_one_wrong_digit_is_marked(flawed: Flawed) -> None:
    event(flawed.field)
    marks = {field["name"]: field["valid"] for field in extracted(flawed.text)["fields"]}

    assert marks[flawed.field] is False, flawed.text


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_layout(kind: Kind) -> None:
    assert layouts_for(kind)
