"""Invented invoices as facts, drawn by Hypothesis: what a layout prints and the extractor must give back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from hypothesis import strategies as st

from tzzr_scenarios.strategies.invoices import accounts, company_ids, personal_ids

_CENT = Decimal("0.01")
_COMPANIES = (
    "Talleres Robledo, S.L.", "INSTALACIONES MARTÍN E HIJOS S.L.U.", "Gestoría Alba S.L.", "Bodegas Peñalba, S.A.",
    "Sociedad Cooperativa El Trébol, S. Coop.", "Construcciones Íñigo y Asociados SL", "Panadería La Espiga, C.B.",
    "NÚÑEZ & CORTÉS ABOGADOS, S.L.P.", "Calzados Ródenas SA", "Transportes Ager 2000, S.L.", "Fecha Exacta Relojes, S.L.",
)  # fmt: skip
_PEOPLE = ("María José Ibáñez Soto", "Íñigo Etxeberria Lasa", "Ana Belén Pérez-Roldán", "JOAN PUIG I CADAFALCH")
_THINGS = (
    "Consultoría técnica", "Reparación de caldera", "Mantenimiento mensual", "Licencia anual de programa", "Silla de oficina",
    "Cable de red categoría 6", "Transporte a domicilio", "Diseño de cartel", "Horas de formación", "Pintura plástica blanca",
)  # fmt: skip
_STREETS = ("Calle Mayor, 12", "C/ de la Luna 3, 2.º B", "Avda. de la Constitución, 45", "Polígono Sur, nave 7")
_CITIES = ("28013 Madrid", "46002 Valencia", "50001 Zaragoza", "15003 A Coruña")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the invoice."""

    description: str
    quantity: int
    price: Decimal

    @property
    def amount(self) -> Decimal:
        return self.quantity * self.price


@dataclass(frozen=True, slots=True)
class Facts:
    """What an invoice says; amounts are exact to the cent."""

    issuer: str
    issuer_id: str
    recipient: str
    recipient_id: str
    number: str
    issued: date
    due: date
    rows: tuple[Row, ...]
    rate: Decimal
    withheld_rate: Decimal
    account: str
    street: str
    city: str

    @property
    def base(self) -> Decimal:
        return sum((row.amount for row in self.rows), Decimal(0))

    @property
    def vat(self) -> Decimal:
        return (self.base * self.rate / 100).quantize(_CENT, ROUND_HALF_UP)

    @property
    def withheld(self) -> Decimal:
        return (self.base * self.withheld_rate / 100).quantize(_CENT, ROUND_HALF_UP)

    @property
    def total(self) -> Decimal:
        return self.base + self.vat - self.withheld

    def expected(self) -> dict[str, str]:
        """The fields that the extractor must find, as the contract writes them."""
        fields = {
            "emisor_nombre": self.issuer,
            "emisor_nif": self.issuer_id,
            "receptor_nombre": self.recipient,
            "receptor_nif": self.recipient_id,
            "numero_factura": self.number,
            "fecha_emision": self.issued.isoformat(),
            "fecha_vencimiento": self.due.isoformat(),
            "base_imponible": f"{self.base:.2f}",
            "tipo_iva": f"{self.rate:.2f}",
            "cuota_iva": f"{self.vat:.2f}",
            "total": f"{self.total:.2f}",
            "moneda": "EUR",
            "iban": self.account,
        }
        return fields | ({"retencion_irpf": f"{self.withheld:.2f}"} if self.withheld else {})


@st.composite
def rows(draw: st.DrawFn) -> tuple[Row, ...]:
    things = draw(st.lists(st.sampled_from(_THINGS), min_size=1, max_size=4, unique=True))
    prices = st.integers(100, 250_000).map(lambda cents: Decimal(cents) / 100)
    return tuple(Row(thing, draw(st.integers(1, 40)), draw(prices)) for thing in things)


@st.composite
def facts(draw: st.DrawFn) -> Facts:
    """An invoice of a company or a person, with or without retention, between two different parties."""
    is_person = draw(st.booleans())
    issuer = draw(st.sampled_from(_PEOPLE if is_person else _COMPANIES))
    issuer_id = draw(personal_ids() if is_person else company_ids())
    issued = draw(st.dates(date(2019, 1, 1), date(2029, 12, 1)))
    return Facts(
        issuer=issuer,
        issuer_id=issuer_id,
        recipient=draw(st.sampled_from([name for name in _COMPANIES if name != issuer])),
        recipient_id=draw(company_ids().filter(lambda other: other != issuer_id)),
        number=draw(st.sampled_from(("2026/014", "F-2026-0031", "A/00127", "26-118", "FV2600345", "FRA-0007/26"))),
        issued=issued,
        due=issued + timedelta(days=draw(st.integers(1, 90))),
        rows=draw(rows()),
        rate=Decimal(draw(st.sampled_from(("21", "10", "4")))),
        withheld_rate=Decimal(draw(st.sampled_from(("15", "7", "19")))) if is_person else Decimal(0),
        account=draw(accounts()),
        street=draw(st.sampled_from(_STREETS)),
        city=draw(st.sampled_from(_CITIES)),
    )


MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """How a layout writes dates, amounts and accounts."""

    date_form: str
    point: str
    sign: str
    spaced_account: bool

    def day(self, when: date) -> str:
        if self.date_form == "words":
            return f"{when.day} de {MONTHS[when.month - 1]} de {when.year}"
        return when.strftime(self.date_form)

    def money(self, value: Decimal) -> str:
        return self.figure(value) + self.sign

    def figure(self, value: Decimal) -> str:
        text = f"{value:,.2f}"
        if self.point == ".":
            return text
        return text.replace(",", " ").replace(".", ",").replace(" ", "." if self.point == "," else "")

    def account(self, number: str) -> str:
        return " ".join(number[i : i + 4] for i in range(0, len(number), 4)) if self.spaced_account else number


styles = st.builds(
    Style,
    date_form=st.sampled_from(("%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y-%m-%d", "words", "%d/%m/%y")),
    point=st.sampled_from((",", ".", "plain")),
    sign=st.sampled_from((" €", "€", " EUR")),
    spaced_account=st.booleans(),
)
