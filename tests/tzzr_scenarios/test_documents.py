from __future__ import annotations

import io
import re
import shutil
import struct
import unicodedata
import wave
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import py3langid
import pytest
import yaml
from PIL import Image, ImageFont
from pypdf import PdfReader
from stdnum import iban
from stdnum.es import cups, nif
from stdnum.es import iban as spanish_iban
from stdnum.eu import vat

from tzzr_mcp.contract.catalogue import FIELDS
from tzzr_scenarios import paint_documents
from tzzr_scenarios.paint_documents import DOCUMENTS, PAINTED

TRUTH: dict[str, dict[str, Any]] = yaml.safe_load((DOCUMENTS / "facturas.yaml").read_text(encoding="utf-8"))
INVOICES = sorted(TRUTH)
CENT = Decimal("0.01")


def text_of(path: str) -> str:
    return (DOCUMENTS / path).read_text(encoding="utf-8")


def invoice(name: str) -> str:
    return text_of(f"facturas/{name}.txt")


def fields_of(name: str) -> dict[str, str | None]:
    fields: dict[str, str | None] = TRUTH[name]["fields"]
    return fields


def amount(name: str, field: str) -> Decimal:
    return Decimal(fields_of(name)[field] or "0")


def in_cents(value: Decimal) -> Decimal:
    return value.quantize(CENT, ROUND_HALF_UP)


def as_printed(value: str) -> str:
    return f"{Decimal(value):,.2f}".translate(str.maketrans(",.", ".,"))


def is_identity(value: str) -> bool:
    return bool(nif.is_valid(value) or vat.is_valid(value))


def test_there_is_a_truth_for_every_invoice_and_no_other() -> None:
    assert [path.stem for path in sorted((DOCUMENTS / "facturas").glob("*.txt"))] == INVOICES
    assert len(INVOICES) == 10


@pytest.mark.parametrize("name", INVOICES)
def test_a_truth_has_the_fourteen_fields_of_the_contract(name: str) -> None:
    assert list(fields_of(name)) == list(FIELDS)
    assert set(TRUTH[name]) == {"case", "fields", "taxes", "lines", "invalid"}
    assert set(TRUTH[name]["invalid"]) <= set(FIELDS)


@pytest.mark.parametrize("name", INVOICES)
def test_what_the_truth_says_is_printed_on_the_invoice(name: str) -> None:
    text, fields = invoice(name), fields_of(name)
    squeezed = re.sub(r"[ -]", "", text)
    for field in ("emisor_nombre", "receptor_nombre", "numero_factura"):
        assert str(fields[field]) in text
    for field in ("emisor_nif", "receptor_nif", "iban"):
        assert fields[field] is None or str(fields[field]) in squeezed
    for field in ("base_imponible", "cuota_iva", "total", "retencion_irpf"):
        assert fields[field] is None or as_printed(str(fields[field])) in text
    for line in TRUTH[name]["lines"]:
        printed = re.escape(line["description"]) + ".* " + re.escape(as_printed(line["amount"]))
        assert re.search(printed, text)


@pytest.mark.parametrize("name", INVOICES)
def test_the_rows_add_up_to_the_base(name: str) -> None:
    lines = TRUTH[name]["lines"]
    for line in lines:
        if line["quantity"] is not None:
            assert in_cents(Decimal(line["quantity"]) * Decimal(line["unit_price"])) == Decimal(line["amount"])
    if lines:
        assert sum(Decimal(line["amount"]) for line in lines) == amount(name, "base_imponible")


@pytest.mark.parametrize("name", INVOICES)
def test_base_rate_and_amount_of_every_tax_agree(name: str) -> None:
    taxes = TRUTH[name]["taxes"]
    for tax in taxes:
        assert in_cents(Decimal(tax["base"]) * Decimal(tax["rate"]) / 100) == Decimal(tax["amount"])
    assert sum(Decimal(tax["base"]) for tax in taxes) == amount(name, "base_imponible")
    assert sum(Decimal(tax["amount"]) for tax in taxes) == amount(name, "cuota_iva")
    assert fields_of(name)["tipo_iva"] == (taxes[0]["rate"] if len(taxes) == 1 else None)


@pytest.mark.parametrize("name", INVOICES)
def test_base_and_tax_less_retention_make_the_total_unless_declared(name: str) -> None:
    computed = amount(name, "base_imponible") + amount(name, "cuota_iva") - amount(name, "retencion_irpf")
    assert (computed == amount(name, "total")) is ("total" not in TRUTH[name]["invalid"])


@pytest.mark.parametrize("name", INVOICES)
@pytest.mark.parametrize("field", ["emisor_nif", "receptor_nif"])
def test_the_check_digit_of_an_identity_is_right_unless_declared(name: str, field: str) -> None:
    assert is_identity(str(fields_of(name)[field])) is (field not in TRUTH[name]["invalid"])


@pytest.mark.parametrize("name", INVOICES)
def test_the_check_digits_of_an_account_are_right_unless_declared(name: str) -> None:
    account = fields_of(name)["iban"]
    if account is None:
        assert "IBAN" not in invoice(name)
    else:
        expected = "iban" not in TRUTH[name]["invalid"]
        assert iban.is_valid(account) is expected
        assert spanish_iban.is_valid(account) is expected


@pytest.mark.parametrize("name", INVOICES)
def test_an_invoice_never_falls_due_before_it_is_issued(name: str) -> None:
    fields = fields_of(name)
    due = fields["fecha_vencimiento"]
    assert due is None or due >= str(fields["fecha_emision"])
    for field in ("fecha_emision", "fecha_vencimiento"):
        assert fields[field] is None or re.fullmatch(r"2026-\d\d-\d\d", str(fields[field]))


def test_the_invoices_hold_the_cases_they_are_there_for() -> None:
    assert amount("factura-autonomo-irpf", "retencion_irpf") == in_cents(Decimal("0.15") * 1480)
    assert [tax["rate"] for tax in TRUTH["factura-varios-iva"]["taxes"]] == ["4.00", "10.00", "21.00"]
    assert vat.is_valid(str(fields_of("factura-intracomunitaria")["receptor_nif"]))
    assert fields_of("factura-intracomunitaria")["cuota_iva"] == "0.00"
    assert amount("factura-rectificativa", "total") < 0
    assert fields_of("factura-sin-iban")["iban"] is None
    assert TRUTH["factura-digitos-erroneos"]["invalid"] == ["emisor_nif", "iban"]
    assert TRUTH["factura-descuadrada"]["invalid"] == ["total"]
    assert str(fields_of("factura-alquiler")["emisor_nif"]).startswith("Y")


def test_the_supply_point_of_the_electricity_bill_is_a_valid_cups() -> None:
    found = re.search(r"CUPS: +(\w+)", invoice("factura-luz"))
    assert found is not None
    assert cups.is_valid(found[1])


@pytest.mark.parametrize("name", PAINTED)
def test_the_png_shows_every_line_and_carries_its_text(name: str) -> None:
    text = invoice(name)
    with Image.open(DOCUMENTS / "facturas" / f"{name}.png") as image:
        image.load()
        assert image.format == "PNG"
        assert image.info["Description"] == text
        for number, line in enumerate(text.splitlines()):
            top = 60 + 40 * number
            darkest, _ = image.crop((0, top, image.width, top + 40)).getextrema()
            assert (darkest == 255) is (line.strip() == "")


@pytest.mark.parametrize("name", PAINTED)
def test_the_pdf_has_the_invoice_as_its_text_layer(name: str) -> None:
    reader = PdfReader(DOCUMENTS / "facturas" / f"{name}.pdf")
    lines = [line.rstrip() for line in reader.pages[0].extract_text().splitlines() if line.strip()]
    assert len(reader.pages) == 1
    assert lines == [line.rstrip() for line in invoice(name).splitlines() if line.strip()]


def chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 0
    while place < len(content):
        name, size = struct.unpack_from("<4sI", content, place)
        yield name, content[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


@pytest.mark.parametrize("name", ["nota-de-voz", "sin-transcripcion"])
def test_a_voice_note_is_two_seconds_of_pcm_that_is_not_silence(name: str) -> None:
    with wave.open(str(DOCUMENTS / "audio" / f"{name}.wav")) as recording:
        assert (recording.getnchannels(), recording.getsampwidth(), recording.getframerate()) == (1, 2, 8000)
        assert recording.getnframes() == 16_000
        samples = struct.unpack("<16000h", recording.readframes(16_000))
    assert max(samples) > 8_000
    assert min(samples) < -8_000


def test_the_voice_note_holds_its_transcript_as_a_comment() -> None:
    (riff,) = chunks((DOCUMENTS / "audio" / "nota-de-voz.wav").read_bytes())
    info = dict(chunks(riff[1][4:]))[b"LIST"]
    assert info[:4] == b"INFO"
    comment = dict(chunks(info[4:]))[b"ICMT"].rstrip(b"\0").decode("utf-8")
    assert comment == text_of("audio/nota-de-voz.txt").strip()


def test_the_other_voice_note_says_nothing_about_itself() -> None:
    (riff,) = chunks((DOCUMENTS / "audio" / "sin-transcripcion.wav").read_bytes())
    assert [name for name, _ in chunks(riff[1][4:])] == [b"fmt ", b"data"]


@pytest.mark.parametrize("path", sorted((DOCUMENTS / "textos").glob("*.txt")), ids=lambda path: path.stem)
def test_a_text_is_in_the_language_of_its_name(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    language, _ = py3langid.classify(text)
    assert language == path.stem.rpartition("-")[2]
    assert 100 <= len(text.split()) <= 200


def test_there_is_a_text_in_each_of_the_five_languages() -> None:
    found = {path.stem.rpartition("-")[2] for path in (DOCUMENTS / "textos").glob("*.txt")}
    assert found == {"es", "ca", "en", "fr", "pt"}


def test_the_minutes_name_people_agreements_and_dated_tasks() -> None:
    text = text_of("reuniones/acta-comite-proyecto.txt")
    attendees = re.findall(r"^- ([^,:\n]+), ", text, re.MULTILINE)
    tasks = re.findall(r"^- ([^,:\n]+): .+ Plazo: \d+ de octubre de 2026\.$", text, re.MULTILINE)
    assert len(attendees) == 4
    assert len(tasks) == 3
    assert all(any(who.startswith(task) for who in attendees) for task in tasks)
    assert re.findall(r"^A\d\.", text, re.MULTILINE) == ["A1.", "A2.", "A3."]


def test_the_turns_of_the_transcript_are_in_order_and_within_its_duration() -> None:
    text = text_of("reuniones/transcripcion-estreno.txt")
    turns = re.findall(r"^\[00:(\d\d):(\d\d)\] (\w+): ", text, re.MULTILINE)
    seconds = [int(minute) * 60 + int(second) for minute, second, _ in turns]
    assert seconds == sorted(set(seconds))
    assert seconds[-1] <= 2 * 60 + 26
    assert {who for *_, who in turns} == {"NURIA", "DARÍO", "AITANA"}


def test_the_identities_and_the_account_of_the_lease_are_valid() -> None:
    text = text_of("contratos/contrato-arrendamiento.txt")
    people = re.findall(r"\b[XYZ\d]\d{7}[A-Z]\b", text)
    account = re.search(r"ES\d\d(?: \d{4}){5}", text)
    assert len(people) == 2
    assert all(nif.is_valid(person) for person in people)
    assert account is not None
    assert spanish_iban.is_valid(account[0])


def hostile(name: str) -> bytes:
    return (DOCUMENTS / "hostiles" / name).read_bytes()


def test_the_empty_text_has_no_byte() -> None:
    assert hostile("vacio.txt") == b""


def test_the_long_text_is_one_mebibyte_of_utf_8() -> None:
    content = hostile("un-mebibyte.txt")
    assert len(content) == 1024 * 1024
    assert content.decode("utf-8").endswith("\n")
    assert content == paint_documents.long_text()


def test_the_nul_text_has_a_nul_in_its_midst() -> None:
    assert hostile("nul.txt").count(b"\0") == 1
    assert 0 < hostile("nul.txt").index(b"\0") < len(hostile("nul.txt")) - 2


def test_the_right_to_left_text_has_hebrew_arabic_and_an_override() -> None:
    classes = {unicodedata.bidirectional(character) for character in hostile("rtl.txt").decode("utf-8")}
    assert {"R", "AL", "RLO", "PDF", "L"} <= classes


def test_the_emoji_text_has_joiners_flags_and_decomposed_letters() -> None:
    text = hostile("emoji-nfd.txt").decode("utf-8")
    assert {"\u200d", "\ufe0f", "\u20e3", "🇪", "🏽"} <= set(text)
    assert unicodedata.normalize("NFC", text) != text
    assert sum(1 for character in text if unicodedata.combining(character)) > 50


def test_the_crlf_text_ends_every_line_with_both() -> None:
    content = hostile("crlf.txt")
    assert content.count(b"\r\n") == content.count(b"\n") == content.count(b"\r") == 4


def test_the_injection_asks_to_ignore_the_instructions() -> None:
    assert "Ignora las instrucciones" in hostile("inyeccion.txt").decode("utf-8")


def test_no_other_document_has_a_carriage_return_or_lacks_its_last_line_end() -> None:
    for path in DOCUMENTS.rglob("*.txt"):
        content = path.read_bytes()
        if path.name not in {"crlf.txt", "vacio.txt"}:
            assert b"\r" not in content
            assert content.endswith(b"\n")


def test_a_missing_font_ends_painting_with_what_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    assert paint_documents.main(["--font", "no-such-font.ttf"]) == 2
    assert "no font 'no-such-font.ttf': install the DejaVu fonts" in capsys.readouterr().err


def test_painting_again_gives_the_committed_recordings_and_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fpdf", reason="fpdf2 is in the paint group")
    try:
        ImageFont.truetype("DejaVuSansMono.ttf", 28)
    except OSError:
        pytest.skip("the DejaVu fonts are not installed")
    copy = tmp_path / "documents"
    shutil.copytree(DOCUMENTS, copy, ignore=shutil.ignore_patterns("*.png", "*.pdf", "*.wav", "un-mebibyte.txt"))
    monkeypatch.setattr(paint_documents, "DOCUMENTS", copy)
    assert paint_documents.main([]) == 0
    for path in DOCUMENTS.rglob("*"):
        again = copy / path.relative_to(DOCUMENTS)
        assert again.exists()
        if path.suffix in {".wav", ".txt"}:
            assert again.read_bytes() == path.read_bytes()


def test_a_pdf_painted_twice_is_the_same() -> None:
    pytest.importorskip("fpdf", reason="fpdf2 is in the paint group")
    try:
        font = str(ImageFont.truetype("DejaVuSansMono.ttf", 28).path)
    except OSError:
        pytest.skip("the DejaVu fonts are not installed")
    first = paint_documents.pdf("Señal\n\nAñil", font)
    assert first == paint_documents.pdf("Señal\n\nAñil", font)
    assert "Señal" in PdfReader(io.BytesIO(first)).pages[0].extract_text()
