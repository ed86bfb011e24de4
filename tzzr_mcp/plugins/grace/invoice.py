"""An invoice's fields (contract §4) as a person reads them: names with their check marks, amounts in Spanish form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from tzzr_mcp.services.spanish import counted, listed, number

SYMBOLS: Final = {"EUR": "€", "USD": "$", "GBP": "£"}

LABELS: Final[Mapping[str, str]] = {
    "emisor_nombre": "nombre del emisor",
    "emisor_nif": "NIF del emisor",
    "receptor_nombre": "nombre del receptor",
    "receptor_nif": "NIF del receptor",
    "numero_factura": "número de factura",
    "fecha_emision": "fecha de emisión",
    "fecha_vencimiento": "vencimiento",
    "base_imponible": "base imponible",
    "tipo_iva": "tipo de IVA",
    "cuota_iva": "cuota de IVA",
    "retencion_irpf": "retención de IRPF",
    "total": "total",
    "moneda": "moneda",
    "iban": "IBAN",
}
"""The fourteen fields as a person calls them."""
LABEL_WIDTH: Final = 18


@dataclass(frozen=True)
class _Row:
    """A label and a value; ``tail`` is the check mark and what it means. Amounts stand right in their column."""

    label: str
    value: str
    tail: str = ""
    amount: bool = True

    def line(self, width: int) -> str:
        """Label, value and tail; an amount stands right in ``width`` characters."""
        value = f"{self.value:>{width}}" if self.amount else self.value
        return f"  {self.label:<{LABEL_WIDTH}}{value}{self.tail}"


class Invoice:
    """One result of FIELD_EXTRACTOR."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        self.fields: Sequence[Mapping[str, Any]] = result["fields"]
        self.taxes: Sequence[Mapping[str, Any]] = result["taxes"]
        self.lines: Sequence[Mapping[str, Any]] = result["lines"]
        self._by_name = {field["name"]: field for field in self.fields}
        self.currency = self.value("moneda") or "EUR"
        self._symbol = SYMBOLS.get(self.currency, self.currency)

    def value(self, name: str) -> str | None:
        """The field's value, None when it was not asked for or is not there."""
        value: str | None = self._by_name.get(name, {}).get("value")
        return value

    def mark(self, name: str) -> str:
        """`` ✓`` or `` ✗`` where something was checked."""
        valid = self._by_name.get(name, {}).get("valid")
        return "" if valid is None else " ✓" if valid else " ✗"

    def money(self, amount: str | Decimal | None) -> str:
        """``1.250,00 €``."""
        return "—" if amount is None else f"{number(amount, 2)} {self._symbol}"

    def price(self, amount: str) -> str:
        """As `money`, with as many decimals as a unit price has: ``0,097553 €``."""
        digits = max(2, len(amount.rstrip("0").partition(".")[2]))
        return f"{number(amount, digits)} {self._symbol}"

    def invalid(self) -> list[str]:
        """The labels of the fields that failed their check."""
        return [LABELS[field["name"]] for field in self.fields if field["valid"] is False]

    def missing(self) -> list[str]:
        """The labels of the fields that were asked for and are not in the text."""
        absent = (field["name"] for field in self.fields if field["value"] is None)
        return [LABELS[name] for name in absent if not (name == "tipo_iva" and self.taxes)]

    def facts(self) -> list[str]:
        """For the last line: how many lines, how sure."""
        found = [field["confidence"] for field in self.fields if field["value"] is not None]
        lines = [counted(len(self.lines), "línea", "líneas")] if self.lines else []
        return [*lines, f"confianza mínima {number(min(found), 2)}"] if found else lines

    def text(self) -> str:
        """The whole invoice: who to whom, dates and amounts in a column, what is missing, what does not check."""
        return "\n".join([self._headline(), *self._rows(), *self._line_rows(), *self._remarks()])

    def _headline(self) -> str:
        parts = [f"Factura {self.value('numero_factura') or 'sin número'}"]
        parts += [
            f"{word} {who}" for word, who in (("de", self._party("emisor")), ("a", self._party("receptor"))) if who
        ]
        return " ".join(parts)

    def _party(self, role: str) -> str:
        name, nif = self.value(f"{role}_nombre"), self.value(f"{role}_nif")
        told = f"{nif}{self.mark(f'{role}_nif')}" if nif else ""
        return f"{name} ({told})" if name and told else name or told

    def _rows(self) -> list[str]:
        amounts = list(self._amounts())
        width = max((len(row.value) for row in amounts), default=0)
        return [row.line(width) for row in (*self._plain(), *amounts)]

    def _plain(self) -> Iterator[_Row]:
        for name in ("fecha_emision", "fecha_vencimiento"):
            if value := self.value(name):
                yield _Row(LABELS[name], value, amount=False)
        if iban := self.value("iban"):
            yield _Row("IBAN", _grouped(iban), self.mark("iban"), amount=False)

    def _amounts(self) -> Iterator[_Row]:
        if base := self.value("base_imponible"):
            yield _Row(LABELS["base_imponible"], self.money(base), self.mark("base_imponible"))
        yield from self._tax_amounts()
        if retention := self.value("retencion_irpf"):
            held = self.money(-abs(Decimal(retention)))
            yield _Row(f"IRPF{self._irpf_rate(retention)}", held, self.mark("retencion_irpf"))
        if total := self.value("total"):
            mark = self.mark("total")
            yield _Row("total", self.money(total), {" ✓": " ✓ (cuadra)", " ✗": " ✗ (no cuadra)"}.get(mark, ""))

    def _tax_amounts(self) -> Iterator[_Row]:
        if len(self.taxes) > 1:
            for tax in self.taxes:
                yield _Row(f"IVA {_percent(tax['rate'])}", self.money(tax["amount"]))
        elif quota := self.value("cuota_iva"):
            rate = self.value("tipo_iva")
            yield _Row(f"IVA {_percent(rate)}" if rate else "IVA", self.money(quota), self.mark("cuota_iva"))

    def _irpf_rate(self, retention: str) -> str:
        base = Decimal(self.value("base_imponible") or 0)
        if not base:
            return ""
        rate = abs(Decimal(retention)) * 100 / base
        return f" {_percent(round(rate))}" if abs(rate - round(rate)) < Decimal("0.02") else ""

    def _line_rows(self) -> Iterator[str]:
        for line in self.lines:
            quantity = f"{_short(line['quantity'])} × " if line["quantity"] is not None else ""
            price = f", a {self.price(line['unit_price'])}" if line["unit_price"] is not None else ""
            yield f"  · {quantity}{line['description']}{price}: {self.money(line['amount'])}"

    def _remarks(self) -> Iterator[str]:
        if missing := self.missing():
            yield f"  no consta: {listed(missing)}"
        if invalid := self.invalid():
            yield f"  no supera su comprobación: {listed(invalid)}"


def _grouped(iban: str) -> str:
    return " ".join(iban[at : at + 4] for at in range(0, len(iban), 4))


def _percent(rate: str | float) -> str:
    return f"{_short(rate)} %"


def _short(amount: str | float) -> str:
    """Without zeros that say nothing: ``21.00`` → ``21``, ``2.50`` → ``2,5``."""
    text = number(amount)
    return text.rstrip("0").rstrip(",") if "," in text else text
