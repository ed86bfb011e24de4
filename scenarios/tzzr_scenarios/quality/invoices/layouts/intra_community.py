"""A delivery within the European Union: no tax, the buyer's own VAT number, and the article that exempts it."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice, Party
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import joined, table

__all__ = ["intra_community"]


def intra_community(invoice: Invoice, hand: Writing) -> str:
    """The register's numbers of both, lines, and the legal mention in place of the tax."""
    return joined(
        hand.word("FACTURA", "FACTURA - ENTREGA INTRACOMUNITARIA", "Factura de exportación UE"),
        "",
        f"{hand.word('Factura nº', 'Número', 'N.º de factura')} {invoice.number}    "
        f"{hand.word('Fecha', 'Expedida el', 'Fecha factura')} {hand.day(invoice.issued)}",
        f"{hand.word('Fecha de vencimiento', 'Vencimiento', 'Vto.')} {hand.day(invoice.due)}" if invoice.due else None,
        "",
        *_party(hand.word("VENDEDOR", "PROVEEDOR", "EMISOR"), invoice.issuer, hand),
        *(_party(hand.word("ADQUIRENTE", "COMPRADOR", "CLIENTE"), invoice.recipient, hand) if invoice.recipient else ()),
        table((9, 44, -12, -14), (hand.word("Cantidad", "Uds."), "Descripción de los bienes", "Precio", "Importe"), *(
            (hand.quantity(row.quantity), row.description, hand.figure(row.price), hand.figure(row.amount)) for row in invoice.rows)),
        "",
        f"{hand.word('Importe neto', 'Base imponible', 'Total bruto')}  {hand.money(invoice.base, invoice.currency)}",
        *(f"{invoice.tax} {hand.percent(tax.rate)}  {hand.money(tax.amount, invoice.currency)}" for tax in invoice.taxes),
        f"{hand.word('Total', 'Total factura', 'Importe total')}  {hand.due(invoice.total, invoice.currency)}",
        "",
        hand.word("Entrega intracomunitaria exenta, artículo 25 de la Ley 37/1992 del IVA.",
                  "Operación exenta de IVA (art. 25 LIVA). Inversión del sujeto pasivo.",
                  "Inversión del sujeto pasivo, artículo 84.Uno.2.º de la Ley del IVA."),
        f"IBAN {hand.account(invoice.iban)}  BIC CAIXESBBXXX" if invoice.iban else None,
    )  # fmt: skip


def _party(role: str, party: Party, hand: Writing) -> list[str]:
    label = hand.word("NIF-IVA", "NIF", "N.º IVA intracomunitario")
    return [role, party.name, party.street, party.town, f"{label} {hand.tax_id(party.tax_id)}", ""]
