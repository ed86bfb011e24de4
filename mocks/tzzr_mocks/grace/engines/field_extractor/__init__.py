"""FIELD_EXTRACTOR: the fields, taxes and lines of a Spanish invoice, from its text in whatever layout.

Precision comes first: a field that is not found is not listed, and nothing is guessed. One case lists a
field without a value: ``tipo_iva`` when there are several rates (``taxes`` then has a row for each). A value
that was worked out from others (a sum of bases, a due date from days granted keeps its words) has no span.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from tzzr_mocks.grace.engines import params
from tzzr_mocks.grace.engines.pace import cost_ms
from tzzr_mocks.grace.engines.port import Answer, Work

from .balance import Balance, Tax, balance_of
from .concepts import Concept
from .currency import currency_of
from .dates import dates_of, due_date, issue_date
from .entries import entries_of
from .found import Found
from .identifiers import account_of, account_spans, tax_ids_of
from .invoice_number import invoice_number
from .items import Item, items_of
from .numbers import as_amount, numbers_of
from .page import Page
from .parties import parties_of
from .summary import amounts_of

__all__ = ["FIELDS", "extract"]

FIELDS = (
    "emisor_nombre", "emisor_nif", "receptor_nombre", "receptor_nif", "numero_factura", "fecha_emision", "fecha_vencimiento",
    "base_imponible", "tipo_iva", "cuota_iva", "retencion_irpf", "total", "moneda", "iban",
)  # fmt: skip
"""The fourteen fields of CONTRACT §4, in its order."""

_MAX_CHARACTERS = 20_000


def extract(work: Work) -> Answer:
    """``{fields, taxes, lines}``; ``params.fields`` chooses among the fields, taxes and lines are always all.

    Invoices are short: what stands behind the first 20,000 characters is not read.
    """
    wanted = params.strings(work, "fields", FIELDS) or FIELDS
    page = Page(work.text[:_MAX_CHARACTERS])
    found, balance, items = _read(page)
    result = {
        "fields": [found[name].as_field(name, page) for name in FIELDS if name in wanted and name in found],
        "taxes": [_tax(tax) for tax in balance.taxes],
        "lines": [_line(item) for item in items],
    }
    sure = [field["confidence"] for field in result["fields"]]
    confidence = round(sum(sure) / len(sure), 4) if sure else 0.0
    return Answer(result, confidence, cost_ms=cost_ms(work.module, len(work.octets)))


def _read(page: Page) -> tuple[dict[str, Found], Balance, list[Item]]:
    dates, ids = dates_of(page), tax_ids_of(page)
    taken = [*((date.start, date.end) for date in dates), *((one.start, one.end) for one in ids), *account_spans(page)]
    number = invoice_number(page, _offsets(taken))
    if number and number.span:
        taken.append(number.span)
    numbers = numbers_of(page, taken)
    entries = entries_of(page, numbers)
    balance = balance_of(entries)
    issuer, recipient = parties_of(page, ids)
    candidates: dict[str, Found | None] = {
        "emisor_nombre": issuer.name,
        "emisor_nif": issuer.tax_id.found if issuer.tax_id else None,
        "receptor_nombre": recipient.name,
        "receptor_nif": recipient.tax_id.found if recipient.tax_id else None,
        "numero_factura": number,
        "fecha_emision": issue_date(page, dates),
        "fecha_vencimiento": due_date(page, dates),
        **amounts_of(balance),
        "moneda": currency_of(page),
        "iban": account_of(page),
    }
    sums = {entry.amount.value for entry in entries if entry.concept in (Concept.BASE, Concept.TOTAL) and entry.amount}
    items = items_of(page, numbers, sums | ({balance.base.value} if balance.base else set()))
    return {name: value for name, value in candidates.items() if value}, balance, items


def _offsets(spans: Iterable[tuple[int, int]]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def _tax(tax: Tax) -> dict[str, Any]:
    return {"base": _amount(tax.base), "rate": as_amount(tax.rate), "amount": _amount(tax.amount)}


def _amount(value: Decimal | None) -> str | None:
    return None if value is None else as_amount(value)


def _line(item: Item) -> dict[str, Any]:
    return {
        "description": item.description,
        "quantity": _figure(item.quantity, 0),
        "unit_price": _figure(item.price, 2),
        "amount": as_amount(item.amount),
    }


def _figure(value: Decimal | None, digits: int) -> str | None:
    """A quantity or a price: at least ``digits`` decimals, and no zeros behind those."""
    if value is None:
        return None
    exponent = value.normalize().as_tuple().exponent
    decimals = max(digits, -exponent if isinstance(exponent, int) else 0)
    return f"{value:.{min(decimals, 6)}f}"
