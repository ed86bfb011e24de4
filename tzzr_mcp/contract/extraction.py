"""The result of FIELD_EXTRACTOR: an invoice's fields, its taxes and its lines (contract §4, seed §5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Final, Self

from pydantic import ConfigDict, Field, model_validator

from tzzr_mcp.contract.catalogue import AMOUNT_FIELDS, DATE_FIELDS, FIELDS
from tzzr_mcp.contract.shapes import Count, Growing, OneOf, Ratio, Violation, refuse

AMOUNT_PATTERN: Final = r"^-?[0-9]+\.[0-9]{2}$(?!\n)"
"""A decimal string with two digits; rates too ("21.00")."""
QUANTITY_PATTERN: Final = r"^-?[0-9]+(\.[0-9]{1,6})?$(?!\n)"
"""A decimal string with up to six digits: quantities, and unit prices finer than a cent."""
DATE_PATTERN: Final = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$(?!\n)"
CURRENCY_PATTERN: Final = r"^[A-Z]{3}$(?!\n)"

Amount = Annotated[str, Field(pattern=AMOUNT_PATTERN)]
Quantity = Annotated[str, Field(pattern=QUANTITY_PATTERN)]


def _when(names: tuple[str, ...], pattern: str) -> dict[str, Any]:
    return {
        "if": {"properties": {"name": {"enum": list(names)}}, "required": ["name"]},
        "then": {"properties": {"value": {"pattern": pattern}}},
    }


_PATTERNS: Final = ((DATE_FIELDS, DATE_PATTERN), (AMOUNT_FIELDS, AMOUNT_PATTERN), (("moneda",), CURRENCY_PATTERN))


class InvoiceField(Growing):
    """Un campo de la factura; `value` es nulo si no consta o si no hay un valor único."""

    model_config = ConfigDict(json_schema_extra={"allOf": [_when(names, pattern) for names, pattern in _PATTERNS]})

    name: Annotated[str, OneOf(FIELDS)] = Field(description="Nombre del campo")
    value: str | None = Field(description="Valor normalizado: fechas ISO 8601, importes con dos decimales")
    raw: str | None = Field(description="Tal como aparece en el texto")
    span: Annotated[list[Count], Field(min_length=2, max_length=2)] | None = Field(
        description="Comienzo y final en el texto, en caracteres, final excluido"
    )
    confidence: Ratio = Field(description="Confianza, de 0 a 1")
    valid: bool | None = Field(description="Si supera su comprobación; nulo si no la hay")

    @model_validator(mode="after")
    def _is_normalized(self) -> Self:
        refuse("InvoiceField", [*self._value_rules(), *self._span_rules()])
        return self

    def _value_rules(self) -> Iterator[Violation]:
        for names, pattern in _PATTERNS:
            if self.name in names and self.value is not None and not re.search(pattern, self.value):
                yield ("value",), f"{self.name} does not match {pattern}"
        if self.name in DATE_FIELDS and self.value is not None and not _is_a_day(self.value):
            yield ("value",), "not a day of the calendar"

    def _span_rules(self) -> Iterator[Violation]:
        if self.span is not None and self.span[0] > self.span[1]:
            yield ("span",), "it ends before it starts"


def _is_a_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


class Tax(Growing):
    """Un tipo de IVA de la factura."""

    base: Amount | None = Field(description="Base imponible")
    rate: Amount = Field(description="Tipo, en tanto por ciento")
    amount: Amount | None = Field(description="Cuota")


class InvoiceLine(Growing):
    """Una línea de la factura."""

    description: str = Field(description="Concepto")
    quantity: Quantity | None = Field(description="Cantidad")
    unit_price: Quantity | None = Field(description="Precio unitario")
    amount: Amount | None = Field(description="Importe")


class FieldsResult(Growing):
    """Campos de una factura."""

    fields: list[InvoiceField] = Field(description="Los campos pedidos")
    taxes: list[Tax] = Field(description="Una fila por tipo de IVA")
    lines: list[InvoiceLine] = Field(description="Líneas de la factura")
