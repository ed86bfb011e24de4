"""An invoice as a person reads it."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from tests.tzzr_mcp.plugins.answering import AnsweringGrace, calling
from tzzr_mcp.contract.catalogue import FIELDS
from tzzr_mcp.output import ToolOutput, output_schema
from tzzr_mcp.plugins.grace.declarations import TOOLS
from tzzr_mcp.plugins.grace.invoice import LABELS
from tzzr_mcp.plugins.grace.utilities import extraer_campos

VALUES: dict[str, tuple[str | None, bool | None]] = {
    "emisor_nombre": ("Hierros Lizarra, S.L.", None),
    "emisor_nif": ("B71000012", True),
    "receptor_nombre": ("Talleres Oihan, S.A.", None),
    "receptor_nif": ("A31000029", True),
    "numero_factura": ("F-2026-0147", None),
    "fecha_emision": ("2026-03-09", None),
    "fecha_vencimiento": ("2026-04-08", None),
    "base_imponible": ("1250.00", None),
    "tipo_iva": ("21.00", None),
    "cuota_iva": ("262.50", None),
    "retencion_irpf": ("187.50", None),
    "total": ("1325.00", True),
    "moneda": ("EUR", None),
    "iban": ("ES9121000418450200051332", True),
}
LINES = [
    {"description": "Viga IPN 120", "quantity": "2.000000", "unit_price": "500.00", "amount": "1000.00"},
    {"description": "Energía", "quantity": None, "unit_price": "0.097553", "amount": "250.00"},
    {"description": "Portes", "quantity": "1", "unit_price": None, "amount": None},
]
TAXES = [{"base": "1250.00", "rate": "21.00", "amount": "262.50"}]
SCHEMA = next(output_schema(tool.data_schema or {}) for tool in TOOLS if tool.name == "extraer_campos")


def a_field(name: str, value: str | None, valid: bool | None) -> dict[str, Any]:
    confidence = 0.97 if value is not None else 0.0
    return {"name": name, "value": value, "raw": value, "span": None, "confidence": confidence, "valid": valid}


async def read(lines: Any = LINES, taxes: Any = TAXES, **changes: tuple[str | None, bool | None]) -> ToolOutput:
    fields = [a_field(name, *told) for name, told in {**VALUES, **changes}.items()]
    result = {"fields": fields, "taxes": taxes, "lines": lines}
    output = await extraer_campos(calling(AnsweringGrace(result), {"texto": "x"}))
    jsonschema.validate(output.structured(), SCHEMA)
    return output


async def test_an_invoice_is_told_as_a_person_reads_it() -> None:
    output = await read()
    assert output.text.splitlines() == [
        "Factura F-2026-0147 de Hierros Lizarra, S.L. (B71000012 ✓) a Talleres Oihan, S.A. (A31000029 ✓)",
        "  fecha de emisión  2026-03-09",
        "  vencimiento       2026-04-08",
        "  IBAN              ES91 2100 0418 4502 0005 1332 ✓",
        "  base imponible    1.250,00 €",
        "  IVA 21 %            262,50 €",
        "  IRPF 15 %          −187,50 €",
        "  total             1.325,00 € ✓ (cuadra)",
        "  · 2 × Viga IPN 120, a 500,00 €: 1.000,00 €",
        "  · Energía, a 0,097553 €: 250,00 €",
        "  · 1 × Portes: —",
        "3 líneas · confianza mínima 0,97 · fuente: GRACE/FIELD_EXTRACTOR (simulado) · 12 ms",
    ]
    assert output.notice is None


async def test_what_fails_its_check_is_marked_told_and_put_above_the_model() -> None:
    output = await read(emisor_nif=("B71000013", False), total=("1324.00", False))
    assert "(B71000013 ✗)" in output.text
    assert "1.324,00 € ✗ (no cuadra)" in output.text
    assert "  no supera su comprobación: NIF del emisor y total" in output.text.splitlines()
    assert output.notice is not None
    assert output.notice.level == "warning"
    assert "NIF del emisor y total" in output.notice.text


async def test_what_is_not_there_is_told_as_missing() -> None:
    output = await read(iban=(None, None), fecha_vencimiento=(None, None), retencion_irpf=(None, None))
    assert "  no consta: vencimiento, retención de IRPF y IBAN" in output.text.splitlines()
    assert "IRPF 15" not in output.text


async def test_several_rates_have_a_row_each_and_a_chart_and_no_rate_is_missing() -> None:
    taxes = [
        {"base": "1000.00", "rate": "21.00", "amount": "210.00"},
        {"base": "250.00", "rate": "5.50", "amount": None},
    ]
    output = await read(taxes=taxes, tipo_iva=(None, None))
    assert "  IVA 21 %            210,00 €" in output.text.splitlines()
    assert "  IVA 5,5 %                  —" in output.text.splitlines()
    assert "no consta" not in output.text
    table = next(each for each in output.tables if each.id == "impuestos")
    assert table.rows == [[21.0, 1000.0, 210.0], [5.5, 250.0, None]]
    assert [chart.table for chart in output.charts] == ["impuestos"]


async def test_an_intra_community_invoice_in_another_currency_without_vat() -> None:
    output = await read(
        taxes=[], moneda=("CHF", None), tipo_iva=(None, None), cuota_iva=("0.00", None), retencion_irpf=("0.00", None)
    )
    assert "  IVA                   0,00 CHF" in output.text.splitlines()
    assert "tipo de IVA" in output.text


async def test_a_retention_without_a_round_rate_or_a_base_shows_no_rate() -> None:
    assert "  IRPF               −103,00 €" in (await read(retencion_irpf=("103.00", None))).text.splitlines()
    assert "  IRPF" in (await read(base_imponible=(None, None))).text


@pytest.mark.parametrize(
    ("party", "told"),
    [
        ({"emisor_nif": (None, None)}, "de Hierros Lizarra, S.L. a"),
        ({"emisor_nombre": (None, None)}, "de B71000012 ✓ a"),
        ({"emisor_nombre": (None, None), "emisor_nif": (None, None)}, "Factura F-2026-0147 a Talleres"),
        ({"numero_factura": (None, None)}, "Factura sin número de Hierros"),
    ],
    ids=["name alone", "number alone", "nobody", "no number"],
)
async def test_the_headline_tells_what_is_known(party: dict[str, Any], told: str) -> None:
    assert told in (await read(**party)).text.splitlines()[0]


async def test_only_the_fields_that_were_asked_for_are_told() -> None:
    result = {"fields": [a_field("iban", None, None)], "taxes": [], "lines": []}
    output = await extraer_campos(calling(AnsweringGrace(result), {"texto": "x", "campos": ["iban"]}))
    assert output.text.splitlines() == [
        "Factura sin número",
        "  no consta: IBAN",
        "fuente: GRACE/FIELD_EXTRACTOR (simulado) · 12 ms",
    ]
    assert [table.id for table in output.tables] == ["campos"]


def test_every_field_has_a_label() -> None:
    assert tuple(LABELS) == FIELDS
