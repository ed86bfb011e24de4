"""Who bills on the left, who pays on the right."""

from __future__ import annotations

from tzzr_scenarios.quality.invoices.invoice import Invoice, Party
from tzzr_scenarios.quality.invoices.writing import Writing

from .page import beside, joined, table

__all__ = ["two_columns"]

_WIDTH = 52


def two_columns(invoice: Invoice, hand: Writing) -> str:
    """Two blocks side by side, then concepts, then sums in a column to the right."""
    right = (
        _block(hand.word("Cliente", "Facturar a", "Destinatario"), invoice.recipient, hand) if invoice.recipient else []
    )
    return joined(
        hand.word("FACTURA", "F A C T U R A", "Factura").rjust(_WIDTH),
        "",
        beside(_block(hand.word("Emisor", "De", "Datos de la empresa"), invoice.issuer, hand), right, _WIDTH),
        "",
        beside(
            (f"{hand.word('Nº de factura', 'Factura nº', 'Número')}: {invoice.number}",
             f"{hand.word('Fecha', 'Fecha de factura', 'Fecha de expedición')}: {hand.day(invoice.issued)}"),
            (f"{hand.word('Vencimiento', 'Fecha de vencimiento', 'Vence el')}: {hand.day(invoice.due)}" if invoice.due else "",
             hand.word("Forma de pago: transferencia", "Pago: domiciliación bancaria")),
            _WIDTH,
        ),
        "",
        table((40, -8, -12, -9, -14), ("Descripción", "Uds.", "Precio ud.", invoice.tax, "Importe"), *_rows(invoice, hand)),
        "",
        *_sums(invoice, hand),
        "",
        f"{hand.word('Cuenta de abono', 'IBAN', 'Nº de cuenta')}: {hand.account(invoice.iban)}" if invoice.iban else None,
    )  # fmt: skip


def _block(role: str, party: Party, hand: Writing) -> list[str]:
    return [
        f"{role}:",
        party.name,
        party.street,
        party.town,
        f"{hand.word('NIF', 'CIF', 'C.I.F.')}: {hand.tax_id(party.tax_id)}",
    ]


def _rows(invoice: Invoice, hand: Writing) -> list[list[str]]:
    return [
        [row.description, hand.quantity(row.quantity), hand.figure(row.price),
         hand.percent(row.rate) if row.rate is not None else "exento", hand.figure(row.amount)]
        for row in invoice.rows
    ]  # fmt: skip


def _sums(invoice: Invoice, hand: Writing) -> list[str]:
    lines = [(hand.word("Base imponible", "Subtotal", "Suma"), invoice.base)]
    lines += [(f"{invoice.tax} {hand.percent(tax.rate)}", tax.amount) for tax in invoice.taxes]
    lines += [(f"R.E. {hand.percent(tax.rate)}", tax.amount) for tax in invoice.surcharges]
    lines += [(f"IRPF {hand.percent(invoice.withheld_rate)}", -invoice.withheld)] if invoice.withheld_rate else []
    told = [(label, hand.money(value, invoice.currency)) for label, value in lines]
    told.append((hand.word("TOTAL", "Total a pagar", "Total factura"), hand.due(invoice.total, invoice.currency)))
    return [f"{'':<{_WIDTH}}{label:<20}{value:>15}" for label, value in told]
