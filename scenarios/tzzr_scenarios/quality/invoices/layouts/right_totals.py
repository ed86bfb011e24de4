"""A letterhead without labels for the parties, dotted leaders, and totals that end at the right margin."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined

__all__ = ["right_totals"]

_WIDTH = 78


def right_totals(invoice: Invoice, hand: Writing) -> str:
    """The addressee stands at the right as in a window envelope; amounts are led to by dots."""
    issuer, recipient = invoice.issuer, invoice.recipient
    return joined(
        f"{issuer.name} - {hand.word('C.I.F.', 'NIF', 'CIF:')} {hand.tax_id(issuer.tax_id)}",
        f"{issuer.street} - {issuer.town}",
        "",
        *((f"{'':40}{line}" for line in (recipient.name, recipient.street, recipient.town, hand.tax_id(recipient.tax_id))) if recipient else ()),
        "",
        f"{hand.word('Factura', 'Fra. nº', 'FACTURA Nº')} {invoice.number} {hand.word('de fecha', 'del', '- Fecha:')} {hand.day(invoice.issued)}",
        "",
        *(line for row in invoice.rows for line in (
            _led(f"{row.description}", hand.figure(row.amount)),
            f"    {hand.quantity(row.quantity)} {hand.word('uds. a', 'x', 'unidades a')} {hand.figure(row.price)}",
        )),
        "",
        *_sums(invoice, hand),
        "",
        _payment(invoice, hand),
    )  # fmt: skip


def _sums(invoice: Invoice, hand: Writing) -> list[str]:
    lines = [(hand.word("Base imponible", "Total neto", "Importe neto"), invoice.base)]
    for tax in invoice.taxes:
        of = f" s/ {hand.figure(tax.base)}" if len(invoice.taxes) > 1 else ""
        lines.append((f"{hand.percent(tax.rate)} {invoice.tax}{of}", tax.amount))
    lines += [(f"{hand.percent(tax.rate)} recargo equivalencia", tax.amount) for tax in invoice.surcharges]
    if invoice.withheld_rate:
        lines.append((f"A deducir: {hand.percent(invoice.withheld_rate)} retención IRPF", -invoice.withheld))
    told = [f"{label}  {hand.money(value, invoice.currency)}" for label, value in lines]
    told.append(f"{hand.word('TOTAL', 'Importe total', 'Total a pagar')}  {hand.due(invoice.total, invoice.currency)}")
    return [f"{line:>{_WIDTH}}" for line in told]


def _payment(invoice: Invoice, hand: Writing) -> str | None:
    until = f"{hand.word('Vencimiento', 'Vto.', 'Vencimiento el')} {hand.day(invoice.due)}" if invoice.due else None
    account = (
        f"{hand.word('Domiciliado en', 'Transferencia a', 'Cuenta:')} {hand.account(invoice.iban)}"
        if invoice.iban
        else None
    )
    return ". ".join(filter(None, (until, account))) or None


def _led(left: str, right: str) -> str:
    return f"{left} {'.' * max(3, _WIDTH - len(left) - len(right) - 2)} {right}"
