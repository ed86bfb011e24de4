"""FIELD_EXTRACTOR: an invoice whose every field is known (contract §4)."""

from __future__ import annotations

import re
from typing import Any, Final

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.checks import confidences, has, objects
from tzzr_scenarios.conform.grace.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

NAMES: Final = (
    "emisor_nombre", "emisor_nif", "receptor_nombre", "receptor_nif", "numero_factura", "fecha_emision",
    "fecha_vencimiento", "base_imponible", "tipo_iva", "cuota_iva", "retencion_irpf", "total", "moneda", "iban",
)  # fmt: skip
AMOUNTS: Final = ("base_imponible", "cuota_iva", "retencion_irpf", "total")
_AMOUNT = re.compile(r"-?\d+\.\d\d")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def _invoice(content: str = samples.INVOICE) -> samples.Json:
    return samples.text("FIELD_EXTRACTOR", content)


def _field(answer: Answer, name: str) -> dict[str, Any]:
    found = [each for each in objects(answer, "fields") if each.get("name") == name]
    if not found or found[0].get("value") is None:
        raise NotJudged(f"{name} was not found in the invoice")
    return found[0]


@BOOK.rule("fields.form", "§4: FIELD_EXTRACTOR")
async def extracts(probe: Probe) -> None:
    """The result has the lists ``fields``, ``taxes`` and ``lines``."""
    has(await probe.good("FIELD_EXTRACTOR"), {"fields": list, "taxes": list, "lines": list})


@BOOK.rule("fields.members", "§4: FIELD_EXTRACTOR, fields")
async def tells_each_field_whole(probe: Probe) -> None:
    """A field has ``name``, ``value``, ``raw``, ``span``, ``confidence`` and ``valid``."""
    answer = await probe.good("FIELD_EXTRACTOR")
    for index, each in enumerate(objects(answer, "fields")):
        missing = {"name", "value", "raw", "span", "confidence", "valid"} - each.keys()
        hold(answer, not missing, f"result.fields[{index}]", "six members", f"without {', '.join(sorted(missing))}")


@BOOK.rule("fields.names", "§4: fields of FIELD_EXTRACTOR")
async def names_the_fields_of_the_contract(probe: Probe) -> None:
    """Every name is one of the fourteen, and none comes twice."""
    answer = await probe.good("FIELD_EXTRACTOR")
    came = [each.get("name", NOTHING) for each in objects(answer, "fields")]
    hold(answer, set(came) <= set(NAMES) and len(set(came)) == len(came), "result.fields[].name", list(NAMES), came)


@BOOK.rule("fields.asked", "§4: FIELD_EXTRACTOR, fields")
async def extracts_what_was_asked(probe: Probe) -> None:
    """With ``params.fields`` those are told and no others."""
    answer = await probe.ask(samples.text("FIELD_EXTRACTOR", samples.INVOICE, fields=["total", "iban"]))
    came = {each.get("name", NOTHING) for each in objects(answer, "fields")}
    hold(answer, came == {"total", "iban"}, "result.fields[].name", ["iban", "total"], sorted(map(str, came)))


@BOOK.rule("fields.found", "§4: FIELD_EXTRACTOR")
async def finds_what_is_plain(probe: Probe) -> None:
    """Number, total and IBAN of a plain invoice are found."""
    answer = await probe.good("FIELD_EXTRACTOR")
    values = {each.get("name"): str(each.get("value")).replace(" ", "") for each in objects(answer, "fields")}
    expected = {"numero_factura": "2026-0042", "total": "1210.00", "iban": "ES9121000418450200051332"}
    for name, value in expected.items():
        came = re.sub(r"\D", "", str(values.get(name))) if name == "total" else values.get(name)
        wanted = "121000" if name == "total" else value
        hold(answer, came == wanted, f"value of {name}", value, values.get(name))


@BOOK.rule("fields.amounts", "§4: amounts")
async def writes_amounts_as_decimals(probe: Probe) -> None:
    """An amount is a decimal string with two digits: "1210.00"."""
    answer = await probe.good("FIELD_EXTRACTOR")
    for each in objects(answer, "fields"):
        if each.get("name") in AMOUNTS and each.get("value") is not None:
            kept = isinstance(each["value"], str) and bool(_AMOUNT.fullmatch(each["value"]))
            hold(answer, kept, f"value of {each['name']}", "such as 1210.00", each["value"])


@BOOK.rule("fields.dates", "§4: dates")
async def writes_dates_as_iso_8601(probe: Probe) -> None:
    """A date is ISO 8601: "2026-01-15"."""
    answer = await probe.good("FIELD_EXTRACTOR")
    for name in ("fecha_emision", "fecha_vencimiento"):
        came = _field(answer, name)["value"]
        hold(
            answer,
            isinstance(came, str) and bool(_DATE.fullmatch(came)),
            f"value of {name}",
            "such as 2026-01-15",
            came,
        )


@BOOK.rule("fields.spans", "§4: spans")
async def points_at_what_it_read(probe: Probe) -> None:
    """``span`` is the half-open range of ``raw`` in the text, counted in Unicode code points."""
    answer = await probe.good("FIELD_EXTRACTOR")
    for each in objects(answer, "fields"):
        span, raw = each.get("span"), each.get("raw")
        if span is not None and raw is not None:
            start, end = span if isinstance(span, list) and len(span) == 2 else (0, 0)
            hold(answer, samples.INVOICE[start:end] == raw, f"span of {each.get('name')}", f"the place of {raw!r}",
                 f"{span}, where {samples.INVOICE[start:end]!r} stands")  # fmt: skip


@BOOK.rule("fields.confidence", "§4: confidences")
async def is_sure_of_a_field_between_0_and_1(probe: Probe) -> None:
    """The confidence of every field is a number in [0, 1]."""
    answer = await probe.good("FIELD_EXTRACTOR")
    confidences(answer, [(f"fields[{index}].confidence", each.get("confidence", NOTHING))
                         for index, each in enumerate(objects(answer, "fields"))])  # fmt: skip


@BOOK.rule("fields.valid", "§4: valid")
async def passes_right_check_digits(probe: Probe) -> None:
    """``valid`` is true for a NIF and an IBAN whose check digits are right."""
    answer = await probe.good("FIELD_EXTRACTOR")
    for name in ("receptor_nif", "iban"):
        came = _field(answer, name).get("valid", NOTHING)
        hold(answer, came is True, f"valid of {name}", True, came)


@BOOK.rule("fields.invalid", "§4: valid")
async def refuses_wrong_check_digits(probe: Probe) -> None:
    """``valid`` is false for a NIF and an IBAN whose check digits are wrong."""
    wrong = samples.INVOICE.replace("12345678Z", "12345678A").replace("0005 1332", "0005 1333")
    answer = await probe.ask(_invoice(wrong))
    for name in ("receptor_nif", "iban"):
        came = _field(answer, name).get("valid", NOTHING)
        hold(answer, came is False, f"valid of {name}", False, came)


@BOOK.rule("fields.sum", "§4: valid")
async def sees_that_amounts_contradict(probe: Probe) -> None:
    """``valid`` of the total is false when base and VAT do not add up to it."""
    answer = await probe.ask(_invoice(samples.INVOICE.replace("1.210,00", "1.310,00")))
    came = _field(answer, "total").get("valid", NOTHING)
    hold(answer, came is False, "valid of total", False, came)


@BOOK.rule("fields.taxes", "§4: taxes")
async def tells_each_rate(probe: Probe) -> None:
    """``taxes`` has a row per VAT rate, with ``base``, ``rate`` and ``amount``."""
    answer = await probe.good("FIELD_EXTRACTOR")
    for index, row in enumerate(objects(answer, "taxes")):
        missing = {"base", "rate", "amount"} - row.keys()
        hold(answer, not missing, f"result.taxes[{index}]", "base, rate and amount", row)
