"""An exporter's invoice, each label in English and Spanish."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice, Party
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined, table

__all__ = ["bilingual"]


def bilingual(invoice: Invoice, hand: Writing) -> str:
    """``Invoice no. / Factura n.º``, and so on."""
    slash = hand.word(" / ", "/", " - ")

    def both(english: str, spanish: str) -> str:
        return f"{english}{slash}{spanish}" if hand.variant % 2 == 0 else f"{spanish}{slash}{english}"

    return joined(
        both("INVOICE", "FACTURA"),
        "",
        f"{both('Invoice no.', 'Factura n.º')}: {invoice.number}",
        f"{both('Invoice date', 'Fecha de factura')}: {hand.day(invoice.issued)}",
        f"{both('Due date', 'Vencimiento')}: {hand.day(invoice.due)}" if invoice.due else None,
        "",
        *_party(both("Seller", "Vendedor"), both("VAT No.", "NIF"), invoice.issuer, hand),
        *(_party(both("Bill to", "Cliente"), both("VAT No.", "NIF"), invoice.recipient, hand) if invoice.recipient else ()),
        table((36, -12, -16, -14),
              (both("Description", "Descripción"), both("Qty", "Cant."), both("Price", "Precio"), both("Amount", "Importe")),
              *((row.description, hand.quantity(row.quantity), hand.figure(row.price), hand.figure(row.amount)) for row in invoice.rows)),
        "",
        f"{both('Net amount', 'Base imponible')}: {hand.money(invoice.base, invoice.currency)}",
        *(f"{both('VAT', invoice.tax)} {hand.percent(tax.rate)}{f' ({hand.figure(tax.base)})' if len(invoice.taxes) > 1 else ''}: "
          f"{hand.money(tax.amount, invoice.currency)}" for tax in invoice.taxes),
        *(f"{both('Equivalence surcharge', 'Recargo de equivalencia')} {hand.percent(tax.rate)}: {hand.money(tax.amount, invoice.currency)}"
          for tax in invoice.surcharges),
        f"{both('Withholding tax', 'Retención IRPF')} {hand.percent(invoice.withheld_rate)}: {hand.money(-invoice.withheld, invoice.currency)}"
        if invoice.withheld_rate else None,
        f"{both('TOTAL DUE', 'TOTAL A PAGAR')}: {hand.due(invoice.total, invoice.currency)}",
        "",
        f"{both('Bank account', 'Cuenta bancaria')}: {hand.account(invoice.iban)}" if invoice.iban else None,
    )  # fmt: skip


def _party(role: str, number: str, party: Party, hand: Writing) -> list[str]:
    return [f"{role}:", party.name, f"{party.street}, {party.town}", f"{number}: {hand.tax_id(party.tax_id)}", ""]
