"""The five amount fields of an invoice, from its balance."""

from __future__ import annotations

from .balance import Balance, Sum
from .found import Found
from .numbers import as_amount

__all__ = ["amounts_of"]

_CHECKED, _READ, _WORKED_OUT = 0.98, 0.85, 0.75


def amounts_of(balance: Balance) -> dict[str, Found | None]:
    """Base, rate, VAT, retention and total, each with what its checks say.

    When the sums contradict each other, an amount that its rate confirms stays valid; the others do not.
    """
    confirmed = bool(balance.taxes) and all(tax.checks for tax in balance.taxes)
    kept = True if balance.balanced is False and confirmed else balance.balanced
    return {
        "base_imponible": _found(balance.base, kept),
        "tipo_iva": _rate(balance),
        "cuota_iva": _found(balance.vat, kept),
        "retencion_irpf": _found(balance.retention, kept),
        "total": _found(balance.total, balance.balanced),
    }


def _found(amount: Sum | None, valid: bool | None) -> Found | None:
    if amount is None:
        return None
    if amount.number is None:
        return Found(as_amount(amount.value), None, _WORKED_OUT, valid)
    confidence = _CHECKED if valid else _READ
    return Found(as_amount(amount.value), (amount.number.start, amount.number.end), confidence, valid)


def _rate(balance: Balance) -> Found | None:
    """The only rate; with several, a field without a value that says so."""
    if len(balance.taxes) > 1:
        return Found(None, None, _READ, None)
    for tax in balance.taxes:
        span = (tax.number.start, tax.number.end) if tax.number else None
        return Found(as_amount(tax.rate), span, _CHECKED if tax.checks else _READ if span else _WORKED_OUT, tax.checks)
    return None
