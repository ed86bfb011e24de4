"""What a failing property about invoices shows, and that drawn parties and accounts check."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from stdnum import iban
from stdnum.es import nif

from tests.tzzr_scenarios.strategies.minimal import minimal
from tzzr_scenarios.quality.invoices import LAYOUTS, Invoice, Kind, Party, Row, Writing
from tzzr_scenarios.strategies import invoices


@given(invoices.parties(), invoices.accounts())
def test_the_check_digits_of_what_is_drawn_hold(party: Party, account: str) -> None:
    assert nif.is_valid(party.tax_id)
    assert iban.is_valid(account, check_country=False)


@pytest.mark.slow
def test_an_invoice_shrinks_to_one_piece_at_one_euro() -> None:
    invoice: Invoice = minimal(invoices.valid())
    assert [(row.quantity, row.price, row.rate) for row in invoice.rows] == [(Decimal(1), Decimal(1), Decimal(21))]
    assert (invoice.kind, invoice.due, invoice.iban, invoice.withheld_rate) == (Kind.ORDINARY, None, None, Decimal(0))
    assert minimal(invoices.writings()) == Writing()


@pytest.mark.slow
def test_what_matters_leaves_the_rest_plain() -> None:
    invoice: Invoice = minimal(invoices.valid(), lambda one: len(one.taxes) > 1)
    assert [row.price for row in invoice.rows] == [Decimal(1), Decimal(1)]

    dear: Invoice = minimal(invoices.valid(), lambda one: one.total > 1000)
    assert len(dear.rows) == 1


@pytest.mark.slow
def test_a_flaw_is_the_only_difference_from_the_right_text() -> None:
    flawed: invoices.Flawed = minimal(invoices.nearly_valid(), lambda one: one.field == "total")
    right = LAYOUTS["key_value"].write(flawed.invoice, Writing())
    differing = [
        (was, now) for was, now in zip(right.splitlines(), flawed.text.splitlines(), strict=True) if was != now
    ]
    assert differing == [("Total: 1,21 €", "Total: 11,21 €")]
    assert isinstance(flawed.invoice.rows[0], Row)
