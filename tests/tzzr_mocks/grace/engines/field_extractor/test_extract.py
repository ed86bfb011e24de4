"""What the extractor does at the edges: choice of fields, several rates, contradictions, odd characters."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tzzr_mcp.contract.catalogue import FIELDS as CONTRACT_FIELDS
from tzzr_mocks.grace.engines import EngineError, Work, engine_for
from tzzr_mocks.grace.engines.field_extractor import FIELDS

from .facts import Facts, Style, facts, styles
from .layouts import LAYOUTS


def extracted(text: str, **params: Any) -> dict[str, Any]:
    return engine_for("FIELD_EXTRACTOR")(Work("FIELD_EXTRACTOR", content=text, params=params)).result


def values(text: str, **params: Any) -> dict[str, Any]:
    return {field["name"]: field["value"] for field in extracted(text, **params)["fields"]}


def marks(text: str) -> dict[str, Any]:
    return {field["name"]: field["valid"] for field in extracted(text)["fields"]}


def test_the_fields_are_the_fourteen_of_the_contract() -> None:
    assert FIELDS == CONTRACT_FIELDS


def test_only_the_fields_that_were_asked_for_are_listed() -> None:
    text = "Factura nº 12/26\nTotal: 121,00 €"
    assert values(text, fields=["total"]) == {"total": "121.00"}


def test_a_field_that_does_not_exist_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(EngineError, match="did you mean 'total'") as caught:
        extracted("Factura 1", fields=["totl"])
    assert caught.value.code == "PARAMS_INVALID"
    assert caught.value.details["errors"][0]["pointer"] == "/payload/params/fields"


@pytest.mark.parametrize(
    "text", ["Hola, nos vemos mañana.", "😀", "....", "La reunión es el martes a las 10:30 en la sala 4."]
)
def test_text_that_is_no_invoice_yields_no_fields(text: str) -> None:
    assert extracted(text) == {"fields": [], "taxes": [], "lines": []}


def test_several_rates_leave_the_rate_open_and_list_each() -> None:
    text = "Base 10%: 100,00 €\nIVA 10%: 10,00 €\nBase 21%: 200,00 €\nIVA 21%: 42,00 €\nTotal: 352,00 €"
    result = extracted(text)
    assert result["taxes"] == [
        {"base": "100.00", "rate": "10.00", "amount": "10.00"},
        {"base": "200.00", "rate": "21.00", "amount": "42.00"},
    ]
    found = {field["name"]: field["value"] for field in result["fields"]}
    assert found["tipo_iva"] is None
    assert (found["base_imponible"], found["cuota_iva"], found["total"]) == ("300.00", "52.00", "352.00")


def test_a_total_that_does_not_add_up_is_marked_and_what_the_rate_confirms_is_not() -> None:
    mark = marks("Base imponible: 1.000,00 €\nIVA 21%: 210,00 €\nTotal: 1.201,00 €")
    assert mark["total"] is False
    assert mark["base_imponible"] is mark["cuota_iva"] is mark["tipo_iva"] is True


def test_a_lone_total_cannot_be_checked() -> None:
    assert marks("Total: 121,00 €") == {"total": None, "moneda": None}


def test_a_rectifying_invoice_keeps_its_signs() -> None:
    text = "Base imponible: -1.000,00 €\nIVA 21%: -210,00 €\nRetención IRPF 15%: 150,00 €\nTotal: -1.060,00 €"
    assert values(text) | {"moneda": "EUR"} == {
        "base_imponible": "-1000.00", "tipo_iva": "21.00", "cuota_iva": "-210.00", "retencion_irpf": "-150.00",
        "total": "-1060.00", "moneda": "EUR",
    }  # fmt: skip
    assert marks(text)["total"] is True


@pytest.mark.parametrize(
    ("written", "amount"),
    [("1.250,00", "1250.00"), ("1250,00", "1250.00"), ("1,250.00", "1250.00"), ("1250.00", "1250.00"),
     ("1 250,00", "1250.00"), ("1\u00a0250,00", "1250.00"), ("-187,50", "-187.50"), ("1.250", "1250.00")],
)  # fmt: skip
def test_amounts_are_read_in_every_notation(written: str, amount: str) -> None:
    assert values(f"Total factura: {written} €")["total"] == amount


@pytest.mark.parametrize(
    "written", ["09/03/2026", "9-3-26", "9 de marzo de 2026", "2026-03-09", "9.3.2026", "9-mar-2026", "09 marzo 2026"]
)
def test_dates_are_read_in_every_notation(written: str) -> None:
    assert values(f"Fecha: {written}")["fecha_emision"] == "2026-03-09"


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert "fecha_emision" not in values("Fecha: 31/02/2026")


@pytest.mark.parametrize(
    "phrase", ["Vencimiento a 30 días", "Forma de pago: transferencia a 30 días", "Pago: 30 días fecha factura"]
)
def test_days_of_grace_make_a_due_date(phrase: str) -> None:
    assert values(f"Fecha: 09/03/2026\n{phrase}")["fecha_vencimiento"] == "2026-04-08"


@pytest.mark.parametrize(
    ("number", "valid"),
    [("B12345674", True), ("B12345678", False), ("12345678Z", True), ("12345678A", False), ("X1234567L", True)],
)
def test_tax_numbers_are_checked_by_their_digits(number: str, valid: bool) -> None:
    assert marks(f"Emisor: Gestoría Alba S.L.\nNIF: {number}")["emisor_nif"] is valid


@pytest.mark.parametrize(
    ("text", "value"), [("NIF-IVA: FR40303265045", "FR40303265045"), ("VAT: DE 136695976", "DE136695976")]
)
def test_a_customer_in_another_country_has_its_vat_number(text: str, value: str) -> None:
    page = f"Emisor: Gestoría Alba S.L.\nNIF: B12345674\n\nCliente: Chocolaterie du Nord SARL\n{text}"
    assert values(page)["receptor_nif"] == value
    assert marks(page)["receptor_nif"] is True


@pytest.mark.parametrize(
    "account", ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "PT50 0002 0123 1234 5678 9015 4"]
)
def test_accounts_of_other_countries_are_read(account: str) -> None:
    assert values(f"Cuenta: {account}\nTotal: 5,00 €")["iban"] == account.replace(" ", "")


@settings(max_examples=20, deadline=None)
@given(invoice=facts(), style=styles, layout=st.sampled_from(sorted(LAYOUTS)))
def test_spans_point_into_the_text_as_it_was_sent(invoice: Facts, style: Style, layout: str) -> None:
    for text in _written_otherwise(LAYOUTS[layout](invoice, style)):
        for field in extracted(text)["fields"]:
            if field["span"] is not None:
                start, end = field["span"]
                assert text[start:end] == field["raw"]


@settings(max_examples=15, deadline=None)
@given(invoice=facts(), style=styles, layout=st.sampled_from(sorted(LAYOUTS)))
def test_line_ends_and_composition_change_no_value(invoice: Facts, style: Style, layout: str) -> None:
    plain, windows, decomposed = _written_otherwise(LAYOUTS[layout](invoice, style))
    assert values(windows) == values(plain)
    composed = {name: value and unicodedata.normalize("NFC", value) for name, value in values(decomposed).items()}
    assert composed == values(plain)


def _written_otherwise(text: str) -> tuple[str, str, str]:
    return text, text.replace("\n", "\r\n"), unicodedata.normalize("NFD", text)
