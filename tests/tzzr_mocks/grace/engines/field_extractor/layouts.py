"""Fourteen ways in which Spanish invoices are laid out, each a function from facts to text."""

from __future__ import annotations

from collections.abc import Callable

from .facts import Facts, Row, Style

__all__ = ["LAYOUTS"]

Layout = Callable[[Facts, Style], str]


def _retention(facts: Facts, style: Style, form: str) -> str:
    """A line of retention, or nothing: ``form`` has ``{rate}`` and ``{amount}``."""
    if not facts.withheld:
        return ""
    return form.format(rate=facts.withheld_rate, amount=style.money(facts.withheld)) + "\n"


def _table(rows: tuple[Row, ...], style: Style) -> str:
    heading = f"{'Descripción':<40}{'Cantidad':>10}{'Precio':>14}{'Importe':>14}"
    lines = [
        f"{row.description:<40}{row.quantity:>10}{style.figure(row.price):>14}{style.figure(row.amount):>14}"
        for row in rows
    ]
    return "\n".join([heading, *lines])


def labels_in_line(f: Facts, s: Style) -> str:
    return f"""FACTURA
Número de factura: {f.number}
Fecha de emisión: {s.day(f.issued)}
Fecha de vencimiento: {s.day(f.due)}

Emisor: {f.issuer}
NIF: {f.issuer_id}
{f.street}, {f.city}

Cliente: {f.recipient}
CIF: {f.recipient_id}
{f.street}

{_table(f.rows, s)}

Base imponible: {s.money(f.base)}
IVA ({f.rate}%): {s.money(f.vat)}
{_retention(f, s, "Retención IRPF ({rate}%): -{amount}")}Total factura: {s.money(f.total)}

IBAN: {s.account(f.account)}
"""


def labels_above(f: Facts, s: Style) -> str:
    retention = f"Retención IRPF {f.withheld_rate} %\n-{s.money(f.withheld)}\n" if f.withheld else ""
    return f"""Factura Nº
{f.number}
Fecha
{s.day(f.issued)}
Vencimiento
{s.day(f.due)}

EMISOR
{f.issuer}
NIF {f.issuer_id}
{f.street}
{f.city}

RECEPTOR
{f.recipient}
NIF {f.recipient_id}
{f.street}
{f.city}

Base imponible
{s.money(f.base)}
IVA {f.rate} %
{s.money(f.vat)}
{retention}TOTAL
{s.money(f.total)}

Cuenta bancaria
{s.account(f.account)}
"""


def two_columns(f: Facts, s: Style) -> str:
    return f"""                         FACTURA {f.number}

{"DATOS DEL EMISOR":<48}DATOS DEL CLIENTE
{f.issuer:<48}{f.recipient}
{"NIF: " + f.issuer_id:<48}NIF: {f.recipient_id}
{f.street:<48}{f.street}
{f.city:<48}{f.city}

Fecha: {s.day(f.issued)}          Vencimiento: {s.day(f.due)}

{_table(f.rows, s)}

{"Base imponible":>50}{s.money(f.base):>20}
{f"IVA {f.rate}%":>50}{s.money(f.vat):>20}
{_retention(f, s, "IRPF {rate}%".rjust(50) + "        -{amount}")}{"TOTAL A PAGAR":>50}{s.money(f.total):>20}

Transferencia a {s.account(f.account)}
"""


def letterhead_without_labels(f: Facts, s: Style) -> str:
    return f"""{f.issuer}
{f.street} - {f.city}
C.I.F. {f.issuer_id} · Tel. 915 550 123

{f.recipient}
{f.street}
{f.city}
C.I.F. {f.recipient_id}

FACTURA: {f.number}
FECHA: {s.day(f.issued)}

{_table(f.rows, s)}

SUBTOTAL {s.money(f.base)}
I.V.A. {f.rate} % {s.money(f.vat)}
{_retention(f, s, "I.R.P.F. {rate} % -{amount}")}TOTAL {s.money(f.total)}

Forma de pago: transferencia. Vencimiento: {s.day(f.due)}
{s.account(f.account)}
"""


def table_of_taxes(f: Facts, s: Style) -> str:
    retention = f"Retención {f.withheld_rate}%: {s.money(f.withheld)}\n" if f.withheld else ""
    return f"""{f.issuer}          NIF: {f.issuer_id}

Facturar a:
{f.recipient}
NIF: {f.recipient_id}

Nº Factura          Fecha               Vencimiento
{f.number:<20}{s.day(f.issued):<25}{s.day(f.due)}

{_table(f.rows, s)}

Base imponible      % IVA       Cuota IVA
{s.figure(f.base):<20}{str(f.rate) + " %":<12}{s.figure(f.vat)}

{retention}Importe total: {s.money(f.total)}
IBAN {s.account(f.account)}
"""


def totals_in_a_row(f: Facts, s: Style) -> str:
    heading = ["Base imponible", f"IVA {f.rate}%", *([f"IRPF {f.withheld_rate}%"] if f.withheld else []), "Total"]
    values = [f.base, f.vat, *([f.withheld] if f.withheld else []), f.total]
    return f"""Factura n.º {f.number}
Fecha de expedición: {s.day(f.issued)}
Fecha de vencimiento: {s.day(f.due)}

Proveedor: {f.issuer} - NIF {f.issuer_id}
Cliente: {f.recipient} - NIF {f.recipient_id}

{_table(f.rows, s)}

{"".join(f"{cell:<20}" for cell in heading)}
{"".join(f"{s.money(value):<20}" for value in values)}

Nuestra cuenta: {s.account(f.account)}
"""


def bars(f: Facts, s: Style) -> str:
    rows = "\n".join(
        f"| {row.description} | {row.quantity} | {s.figure(row.price)} | {s.figure(row.amount)} |" for row in f.rows
    )
    return f"""| Factura | {f.number} |
| Fecha | {s.day(f.issued)} |
| Vencimiento | {s.day(f.due)} |
| Emisor | {f.issuer} |
| NIF emisor | {f.issuer_id} |
| Cliente | {f.recipient} |
| NIF cliente | {f.recipient_id} |

| Concepto | Cantidad | Precio | Importe |
|---|---|---|---|
{rows}

| Base imponible | {s.money(f.base)} |
| IVA ({f.rate} %) | {s.money(f.vat)} |
{_retention(f, s, "| Retención IRPF ({rate} %) | -{amount} |")}| Total | {s.money(f.total)} |
| IBAN | {s.account(f.account)} |
"""


def recipient_first(f: Facts, s: Style) -> str:
    return f"""FACTURA

Destinatario:
{f.recipient}
CIF: {f.recipient_id}
{f.street}
{f.city}

Expedidor:
{f.issuer}
NIF: {f.issuer_id}

Núm. factura: {f.number}
Fecha factura: {s.day(f.issued)}
Vto.: {s.day(f.due)}

B.I.: {s.money(f.base)}
IVA {f.rate}%: {s.money(f.vat)}
{_retention(f, s, "Ret. IRPF {rate}%: -{amount}")}Total a pagar: {s.money(f.total)}
Domiciliación: {s.account(f.account)}
"""


def single_spaces(f: Facts, s: Style) -> str:
    """As OCR gives it: the columns are gone."""
    rows = "\n".join(f"{row.description} {row.quantity} {s.figure(row.price)} {s.figure(row.amount)}" for row in f.rows)
    return f"""{f.issuer}
NIF {f.issuer_id}
FACTURA Nº {f.number} Fecha {s.day(f.issued)} Vencimiento {s.day(f.due)}
Cliente {f.recipient}
NIF {f.recipient_id}
Concepto Cantidad Precio Importe
{rows}
Base imponible {s.money(f.base)}
IVA {f.rate}% {s.money(f.vat)}
{_retention(f, s, "IRPF {rate}% -{amount}")}TOTAL FACTURA {s.money(f.total)}
IBAN {s.account(f.account)}
"""


def dotted_leaders(f: Facts, s: Style) -> str:
    return f"""{f.issuer}
N.I.F.: {f.issuer_id}
{f.street}
{f.city}

Factura {f.number}
En Madrid, a {s.day(f.issued)}

Sres.: {f.recipient}
N.I.F.: {f.recipient_id}

Total base imponible ............ {s.money(f.base)}
Cuota IVA {f.rate} % .............. {s.money(f.vat)}
{_retention(f, s, "Retención a cuenta IRPF {rate} % ... {amount}")}Líquido a percibir .............. {s.money(f.total)}

Pagadero antes del {s.day(f.due)} en la cuenta {s.account(f.account)}
"""


def labels_then_values(f: Facts, s: Style) -> str:
    """As a PDF's text layer often has it: the labels, then the figures."""
    labels = ["Base imponible", f"IVA {f.rate}%", *([f"IRPF {f.withheld_rate}%"] if f.withheld else []), "Total"]
    values = [f.base, f.vat, *([f.withheld] if f.withheld else []), f.total]
    return f"""Factura nº: {f.number}
Fecha: {s.day(f.issued)}
Fecha vencimiento: {s.day(f.due)}

De:
{f.issuer}
{f.issuer_id}

Para:
{f.recipient}
{f.recipient_id}

{_table(f.rows, s)}

{chr(10).join(labels)}
{chr(10).join(s.money(value) for value in values)}

IBAN: {s.account(f.account)}
"""


def issuer_in_the_footer(f: Facts, s: Style) -> str:
    return f"""FACTURA {f.number}
Fecha: {s.day(f.issued)}
Fecha límite de pago: {s.day(f.due)}

Cliente: {f.recipient} (NIF: {f.recipient_id})

{_table(f.rows, s)}

Total neto: {s.money(f.base)}
IVA {f.rate}% s/ {s.figure(f.base)}: {s.money(f.vat)}
{_retention(f, s, "Retención {rate}%: -{amount}")}TOTAL: {s.money(f.total)}

Pago por transferencia: {s.account(f.account)}
{f.issuer} - CIF {f.issuer_id} - {f.street}, {f.city}
"""


def days_of_grace(f: Facts, s: Style) -> str:
    return f"""Emisor
Razón social: {f.issuer}
NIF: {f.issuer_id}

Receptor
Razón social: {f.recipient}
NIF: {f.recipient_id}

Factura: {f.number}
Fecha de factura: {s.day(f.issued)}
Vencimiento a {(f.due - f.issued).days} días

{_table(f.rows, s)}

Importe sin IVA: {s.money(f.base)}
Total IVA ({f.rate} %): {s.money(f.vat)}
{_retention(f, s, "Total retención ({rate} %): {amount}")}Total con IVA: {s.money(f.total)}
Cuenta IBAN: {s.account(f.account)}
"""


def noisy(f: Facts, s: Style) -> str:
    """Other numbers, dates and parties that are none of the fields."""
    return f"""{f.issuer}
{f.street}, {f.city} | Tel.: 91 555 01 23 | info@ejemplo.es | www.ejemplo.es
CIF {f.issuer_id}

Factura n.º: {f.number}
Fecha: {s.day(f.issued)}
Pedido n.º: P-99812 de fecha 03/01/2018
Albarán: 44521 - Fecha albarán: 04/01/2018

DATOS DEL CLIENTE
{f.recipient}
CIF: {f.recipient_id}
{f.street}
{f.city}
Código de cliente: 004512

{_table(f.rows, s)}

Base imponible  {s.money(f.base)}
IVA {f.rate} %  {s.money(f.vat)}
{_retention(f, s, "Retención IRPF {rate} %  -{amount}")}Total  {s.money(f.total)}

Vencimiento  {s.day(f.due)}
Banco: Caja Rural. IBAN  {s.account(f.account)}
Inscrita en el Registro Mercantil de Madrid, tomo 12.345, folio 67, hoja M-123456.
Puede ejercer sus derechos (RGPD) en info@ejemplo.es. Página 1 de 1
"""


LAYOUTS: dict[str, Layout] = {
    layout.__name__: layout
    for layout in (
        labels_in_line, labels_above, two_columns, letterhead_without_labels, table_of_taxes, totals_in_a_row, bars,
        recipient_first, single_spaces, dotted_leaders, labels_then_values, issuer_in_the_footer, days_of_grace, noisy,
    )
}  # fmt: skip
