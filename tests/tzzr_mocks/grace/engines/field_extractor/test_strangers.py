"""What layouts that nobody here had thought of taught the extractor, each in its smallest form."""

from __future__ import annotations

from typing import Any

import pytest

from tzzr_mocks.grace.engines import Work, engine_for


def extracted(text: str) -> dict[str, Any]:
    return engine_for("FIELD_EXTRACTOR")(Work("FIELD_EXTRACTOR", content=text)).result


def values(text: str) -> dict[str, Any]:
    return {field["name"]: field["value"] for field in extracted(text)["fields"]}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Paciente / destinatario: D. Iker Otero Lamas (DNI 12345678Z)", "Iker Otero Lamas"),
        ("to / a: Müller Maschinenbau GmbH — VAT DE136695976", "Müller Maschinenbau GmbH"),
        ("A la atención de: Comunidad de Propietarios, CIF H28123451", "Comunidad de Propietarios"),
        ("Cliente: Yusuf Haddad, reformas. NIE X1234567L", "Yusuf Haddad"),
        (
            "Para: pagos@otero.example\nAsunto: Factura 7\n\nCliente: Iker Otero Lamas, NIF 12345678Z",
            "Iker Otero Lamas",
        ),
    ],
)
def test_the_recipient_s_name_is_the_name_alone(line: str, name: str) -> None:
    assert (
        values(f"TALLERES IBARRA, S.L.\nNIF B74319054\n\nFactura 7\n\n{line}\n\nTotal 10,00 €")["receptor_nombre"]
        == name
    )


def test_a_company_above_its_number_goes_before_a_town_behind_it() -> None:
    text = "Suministros Navales S.A.\nCIF A58123456  -  Las Palmas de Gran Canaria\n\nFactura 7\nTotal 10,00 €"
    assert values(text)["emisor_nombre"] == "Suministros Navales S.A."


def test_a_number_behind_an_arrow_is_not_that_of_the_estimate_before_it() -> None:
    assert values("PRESUPUESTO Nº 55 → FACTURA Nº 2026-31\nTotal 10,00 €")["numero_factura"] == "2026-31"


def test_the_rows_of_a_receipt_add_up_to_its_total() -> None:
    text = "FACTURA SIMPLIFICADA T-4\n2 Menú del día    14,00  28,00\n1 Café solo    1,50\nTOTAL  29,50\nIVA incluido 10%\n"
    assert [(line["description"], line["quantity"], line["unit_price"]) for line in extracted(text)["lines"]] == [
        ("Menú del día", "2", "14.00"),
        ("Café solo", "1", "1.50"),
    ]


def test_one_piece_has_its_amount_for_a_price_whatever_its_model_is_called() -> None:
    text = "Factura 7\n1 x Brazo robótico KR-6   18.750,00 €\n2 x Jornada (650,00 €/día)   1.300,00 €\nSubtotal 20.050,00 €\n"
    assert extracted(text)["lines"][0] == {
        "description": "Brazo robótico KR-6",
        "quantity": "1",
        "unit_price": "18750.00",
        "amount": "18750.00",
    }
