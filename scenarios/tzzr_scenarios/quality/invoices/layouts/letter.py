"""A letter of a professional who bills in sentences."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice, Row
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined

__all__ = ["letter"]


def letter(invoice: Invoice, hand: Writing) -> str:
    """Sender, addressee, place and date, and the fees in a paragraph."""
    issuer, recipient = invoice.issuer, invoice.recipient
    place = issuer.town.partition(" ")[2]
    return joined(
        issuer.name,
        issuer.street,
        issuer.town,
        f"NIF {hand.tax_id(issuer.tax_id)}",
        "",
        *((recipient.name, recipient.street, recipient.town, f"NIF {hand.tax_id(recipient.tax_id)}", "") if recipient else ()),
        f"{place}, {hand.word('a ', '')}{hand.day(invoice.issued)}",
        "",
        f"{hand.word('FACTURA NÚM.', 'Factura n.º', 'Minuta de honorarios. Factura núm.')} {invoice.number}",
        "",
        hand.word("Muy señores nuestros:", "Estimado cliente:", "Muy señor mío:"),
        "",
        f"{hand.word('Les adjuntamos el detalle de los trabajos realizados', 'Por los servicios que se detallan a continuación')}:",
        "",
        *(_row(row, invoice.currency, hand) for row in invoice.rows),
        "",
        _sums(invoice, hand),
        "",
        _payment(invoice, hand),
        "",
        "Quedamos a su disposición y les saludamos atentamente,",
        "",
        issuer.name,
    )  # fmt: skip


def _row(row: Row, currency: str, hand: Writing) -> str:
    return f"- {row.description} ({hand.quantity(row.quantity)} x {hand.money(row.price, currency)}): {hand.money(row.amount, currency)}"


def _sums(invoice: Invoice, hand: Writing) -> str:
    currency = invoice.currency
    asked = hand.word(
        "La base imponible asciende a", "La suma de los honorarios, base imponible de la operación, es de"
    )
    parts = [f"{asked} {hand.money(invoice.base, currency)}"]
    parts += [
        f"{hand.word('a la que se añade', 'más')} el {invoice.tax} al {hand.percent(tax.rate)}"
        f"{f' de {hand.money(tax.base, invoice.currency)}' if len(invoice.taxes) > 1 else ''}, {hand.money(tax.amount, currency)}"
        for tax in invoice.taxes
    ]
    parts += [
        f"el recargo de equivalencia del {hand.percent(tax.rate)}, {hand.money(tax.amount, invoice.currency)}"
        for tax in invoice.surcharges
    ]
    if not invoice.taxes:
        parts.append("sin IVA por tratarse de una operación exenta (art. 20 de la Ley 37/1992)")
    if invoice.withheld_rate:
        rate = hand.percent(invoice.withheld_rate)
        parts.append(f"menos la retención a cuenta del IRPF del {rate}, {hand.money(invoice.withheld, currency)}")
    return (
        f"{'; '.join(parts)}.\nTotal a {hand.word('pagar', 'abonar', 'ingresar')}: {hand.due(invoice.total, currency)}."
    )


def _payment(invoice: Invoice, hand: Writing) -> str | None:
    until = f" antes del {hand.day(invoice.due)}" if invoice.due else ""
    if invoice.iban:
        return f"Les rogamos lo ingresen en la cuenta {hand.account(invoice.iban)}{until}."
    return f"Les rogamos efectúen el pago{until}." if until else None
