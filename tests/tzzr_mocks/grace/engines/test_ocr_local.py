"""Reading pixels: the rules with a reader that stands in for RapidOCR, and RapidOCR itself where it is installed."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from tzzr_mcp.seams.dice import Dice
from tzzr_mocks.grace.engines import Answer, ocr_local

from .files import pdf, png
from .laws import ask

LINES = ("FACTURA 2026/0187", "Base imponible  70,50", "TOTAL  85,31")
needs_rapidocr = pytest.mark.skipif(not ocr_local.is_installed(), reason="the extra [local] is not installed")


def photo(*, mode: str = "RGB", turned: float = 2.0) -> Image.Image:
    """A sheet as a phone sees it: a little askew, grainy, and without any embedded text."""
    sheet, dice = Image.new("RGB", (760, 300), "white"), Dice(7)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=32)
    for row, line in enumerate(LINES):
        for text, left in zip(line.split("  "), (50, 500), strict=False):
            pen.text((left, 50 + 70 * row), text, fill="black", font=font)
    sheet = sheet.rotate(turned, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC)
    for _ in range(9000):
        sheet.putpixel((dice.integer(0, sheet.width - 1), dice.integer(0, sheet.height - 1)), (200, 200, 200))
    return sheet.convert(mode)


def saved(image: Image.Image, form: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def read(content: bytes, media_type: str, **params: Any) -> Answer:
    return ask("OCR_LOCAL", content, media_type=media_type, **params)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """A reader that says the size of each picture it is shown, and the sizes of all of them."""
    shown: list[tuple[int, int]] = []

    def look(picture: Image.Image) -> tuple[str, float]:
        shown.append(picture.size)
        return f"{picture.width} por {picture.height}", 0.9

    monkeypatch.setattr(ocr_local, "is_installed", lambda: True)
    monkeypatch.setattr(ocr_local, "read_picture", look)
    return shown


def test_what_is_seen_goes_before_what_the_picture_carries(sizes: list[tuple[int, int]]) -> None:
    answer = read(png("Dice otra cosa", (30, 20)), "image/png")
    assert (answer.result["text"], answer.result["confidence"], answer.invented) == ("30 por 20", 0.9, False)


def test_a_picture_is_seen_as_its_orientation_says(sizes: list[tuple[int, int]]) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    read(saved(Image.new("RGB", (30, 20)), "JPEG", exif=turned), "image/jpeg")
    assert sizes == [(20, 30)]


def test_every_page_of_a_tiff_is_seen_and_no_other_than_those_asked_for(sizes: list[tuple[int, int]]) -> None:
    first, *others = [Image.new("L", (40, 10 * number)) for number in (1, 2, 3)]
    content = saved(first, "TIFF", save_all=True, append_images=others)
    assert [page["text"] for page in read(content, "image/tiff", pages=[1, 3]).result["pages"]] == [
        "40 por 10",
        "40 por 30",
    ]
    assert sizes == [(40, 10), (40, 30)]


def test_a_pdf_page_without_text_is_seen_and_one_with_text_is_not(sizes: list[tuple[int, int]]) -> None:
    assert not read(saved(Image.new("RGB", (50, 70)), "PDF"), "application/pdf").invented
    assert sizes == [(50, 70)]
    assert read(pdf("Primera hoja"), "application/pdf").result["text"] == "Primera hoja"
    assert sizes == [(50, 70)]


def test_a_pdf_page_with_neither_text_nor_picture_is_invented(sizes: list[tuple[int, int]]) -> None:
    assert read(pdf(""), "application/pdf").invented
    assert sizes == []


@needs_rapidocr
@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_photo_of_a_sheet_is_read_row_by_row(mode: str) -> None:
    answer = read(saved(photo(mode=mode), "PNG"), "image/png")
    assert answer.result["text"].splitlines() == list(LINES)
    assert not answer.invented


@needs_rapidocr
def test_a_scan_in_a_pdf_is_read() -> None:
    answer = read(saved(photo(), "PDF"), "application/pdf")
    assert answer.result["text"].splitlines() == list(LINES)
    assert not answer.invented


@needs_rapidocr
@pytest.mark.parametrize("size", [(1, 1), (4000, 8), (40, 40)])
def test_a_picture_without_text_is_no_failure(size: tuple[int, int]) -> None:
    assert read(png(size=size), "image/png").invented
