"""An invoice for the screen: its tables, the chart of its taxes, and the notice when something does not check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tzzr_mcp.output import Cell, Chart, Column, Notice, Table
from tzzr_mcp.plugins.grace.invoice import LABELS, Invoice
from tzzr_mcp.services.spanish import listed

_FIELDS: Final = (
    Column("campo", "Campo"),
    Column("valor", "Valor"),
    Column("confianza", "Confianza", "number"),
    Column("valido", "Válido", "boolean"),
)


def tables_of(invoice: Invoice) -> list[Table]:
    """The fields; the lines and the taxes where there are any."""
    return [_fields(invoice), *_lines(invoice.lines, invoice.currency), *_taxes(invoice.taxes, invoice.currency)]


def chart_of(tables: Sequence[Table]) -> list[Chart]:
    """Base and VAT by rate, when there are several rates."""
    taxes = next((table for table in tables if table.id == "impuestos"), None)
    if taxes is None or len(taxes.rows) < 2:
        return []
    return [Chart("impuestos_barras", "Base y cuota por tipo de IVA", "impuestos", "bar", "tipo", ["base", "cuota"])]


def notice_of(invoice: Invoice) -> Notice | None:
    """A warning above the model when a check digit or a sum is wrong: nobody should pay such an invoice unseen."""
    invalid = invoice.invalid()
    if not invalid:
        return None
    return Notice("warning", f"Revise la factura antes de usarla: no supera su comprobación {listed(invalid)}.")


def _fields(invoice: Invoice) -> Table:
    rows = [[LABELS[each["name"]], each["value"], each["confidence"], each["valid"]] for each in invoice.fields]
    return Table("campos", "Campos de la factura", _FIELDS, rows)


def _lines(lines: Sequence[Mapping[str, Any]], currency: str) -> list[Table]:
    columns = [
        Column("concepto", "Concepto"),
        Column("cantidad", "Cantidad", "number"),
        Column("precio", "Precio unitario", "number", currency),
        Column("importe", "Importe", "number", currency),
    ]
    rows: list[list[Cell]] = [
        [line["description"], *(_amount(line[key]) for key in ("quantity", "unit_price", "amount"))] for line in lines
    ]
    return [Table("lineas", "Líneas de la factura", columns, rows)] if rows else []


def _taxes(taxes: Sequence[Mapping[str, Any]], currency: str) -> list[Table]:
    columns = [
        Column("tipo", "Tipo de IVA", "number", "%"),
        Column("base", "Base imponible", "number", currency),
        Column("cuota", "Cuota", "number", currency),
    ]
    rows: list[list[Cell]] = [[_amount(tax[key]) for key in ("rate", "base", "amount")] for tax in taxes]
    return [Table("impuestos", "Impuestos de la factura", columns, rows)] if rows else []


def _amount(text: str | None) -> float | None:
    return None if text is None else float(text)
