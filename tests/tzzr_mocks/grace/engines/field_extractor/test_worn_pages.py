"""What scanning, printing and copying did to a page does not reach its fields."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.grace.engines import Work, engine_for
from tzzr_mocks.grace.engines.field_extractor.blanks import surplus_blanks
from tzzr_mocks.grace.engines.field_extractor.furniture import furniture
from tzzr_mocks.grace.engines.field_extractor.mending import mended


def extracted(text: str) -> dict[str, Any]:
    return engine_for("FIELD_EXTRACTOR")(Work("FIELD_EXTRACTOR", content=text)).result


def values(text: str) -> dict[str, Any]:
    return {field["name"]: field["value"] for field in extracted(text)["fields"]}


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("1.2l0,o0 €", "1.210,00 €"),
        ("t0tal", "total"),
        ("base imp0nible", "base imponible"),
        ("equ1valencia", "equivalencia"),
        ("vence de1 3", "vence del 3"),
        ("2o26-02-o3", "2026-02-03"),
        ("iva 2l,00%", "iva 21,00%"),
        ("l6 de diciembre de 2025", "16 de diciembre de 2025"),
    ],
)
def test_a_confusion_that_its_neighbours_give_away_is_mended(read: str, meant: str) -> None:
    assert mended(read) == meant


@pytest.mark.parametrize(
    "token", ["b12345674", "m8x40", "5kg", "1ud", "a4", "co2", "es91 2100", "f-2026/18", "so-85", "8 bol", "s/n", "i-5"]
)
def test_what_may_be_meant_so_is_left(token: str) -> None:
    assert mended(token) == token


@given(st.text(st.sampled_from("abilos01258.,/- €\n"), max_size=60))
def test_mending_keeps_the_length_and_mends_nothing_twice(text: str) -> None:
    once = mended(text)

    assert len(once) == len(text)
    assert mended(once) == once


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("pagina 1 de 2", ""),
        ("- 2 -", ""),
        ("(continuacion)", ""),
        ("talleres robledo s.l.    pagina 2 de 2", ""),
        ("factura 12 - hoja 1/3", "factura 12"),
        ("inscrita en el registro mercantil, tomo 1423, folio 88", ""),
        ("factura 12", "factura 12"),
        ("12", "12"),
        ("-12,00", "-12,00"),
        ("diseno de pagina web 2", "diseno de pagina web 2"),
    ],
)
def test_what_every_page_repeats_is_no_line_of_the_invoice(line: str, left: str) -> None:
    assert line[: len(line) - furniture(line)] == left


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3 de  febrero  de 2026", "3 de febrero de 2026"),
        ("Calle Mayor,  12", "Calle Mayor, 12"),
        ("Talleres  Robledo S.L.", "Talleres Robledo S.L."),
        ("B.  imponible", "B. imponible"),
        ("IVA 21,00  %   30,00  EUR", "IVA 21,00 %   30,00 EUR"),
        ("Tóner HP  305A negro", "Tóner HP 305A negro"),
        ("Base imponible  100,00", "Base imponible  100,00"),
        ("Pintura  2  10,00", "Pintura  2  10,00"),
        ("Concepto  Cantidad  Importe", "Concepto  Cantidad  Importe"),
        ("Emisor  Cliente\nTaller  Bodega", "Emisor  Cliente\nTaller  Bodega"),
    ],
)
def test_a_blank_too_many_is_told_from_the_gap_between_columns(text: str, meant: str) -> None:
    surplus = surplus_blanks(text)

    assert "".join(mark for place, mark in enumerate(text) if place not in surplus) == meant


def test_tax_numbers_and_accounts_are_mended_where_their_check_digits_then_hold() -> None:
    text = "Emisor: Talleres Ibarra SL\nNIF: B588l85O1\nTotal 10,00 €\nIBAN: ES91 21O0 0418  4502 0005 l332\n"

    assert values(text)["emisor_nif"] == "B58818501"
    assert values(text)["iban"] == "ES9121000418450200051332"


def test_a_tax_number_that_mending_does_not_make_right_stays_as_it_was_read() -> None:
    text = "Emisor: Talleres Ibarra SL\nNIF: B58818502\nTotal 10,00 €\n"

    [field] = [field for field in extracted(text)["fields"] if field["name"] == "emisor_nif"]
    assert (field["value"], field["valid"]) == ("B58818502", False)


def test_an_account_goes_on_below_where_its_check_digits_hold() -> None:
    assert values("Total 10,00 €\nCuenta ES91 2100 0418 4502\n0005 1332\n")["iban"] == "ES9121000418450200051332"
    wrong = values("Total 10,00 €\nCuenta ES91 2100 0418 4502\n0005 1333\n")
    assert wrong.get("iban") != "ES9121000418450200051333"


def test_a_heading_that_was_misread_gives_no_rates() -> None:
    text = "Factura 7\nimponible   % IVA   Cuota IVA   % R.E.\n2.051,38   4   82,06   0,5\nTotal   3.321,28 €\n"

    assert [tax for tax in extracted(text)["taxes"] if not 0 <= float(tax["rate"]) < 100] == []


def test_a_table_goes_on_behind_a_page_s_end() -> None:
    text = (
        "Factura 7\nConcepto   Cantidad   Precio   Importe\nPintura   2   10,00   20,00\nPágina 1 de 2\n\fFactura 7 - Hoja 2/2\n"
        "Brocha   1   5,00   5,00\nBase imponible   25,00\nIVA 21 %   5,25\nTotal   30,25 €\n"
    )
    assert [line["description"] for line in extracted(text)["lines"]] == ["Pintura", "Brocha"]


def test_figures_on_the_next_line_belong_to_the_row() -> None:
    text = "Factura 7\nPintura blanca ........ 20,00\n    2 uds. a 10,00\nBase imponible 20,00\nIVA 21 % 4,20\nTotal 24,20 €\n"

    [line] = extracted(text)["lines"]
    assert (line["description"], line["quantity"], line["unit_price"], line["amount"]) == (
        "Pintura blanca", "2", "10.00", "20.00",
    )  # fmt: skip


def test_a_page_of_blanks_is_read_at_once() -> None:
    assert extracted(f"x{' ' * 19_000}x")["fields"] == []
