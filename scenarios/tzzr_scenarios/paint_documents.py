"""Make the documents that nobody can type: `python -m tzzr_scenarios.paint_documents [--font PATH]`.

PNG and PDF files of two invoices, the voice notes and the text of 1 MiB, each from the text files beside them.
The same font and library versions give the same bytes. Needs the dependency group `paint`.
"""

from __future__ import annotations

import argparse
import struct
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

DOCUMENTS: Final = Path(__file__).parents[1] / "documents"
PAINTED: Final = ("factura-luz", "factura-simple")
"""The invoices that are there as PNG and PDF too."""

LONG_TEXT_BYTES: Final = 1024 * 1024
RATE_HZ: Final = 8000
SECONDS: Final = 2

_FONT: Final = "DejaVuSansMono.ttf"
_FONT_PX: Final = 28
_LINE_PX: Final = 40
_MARGIN_PX: Final = 60
_FONT_PT: Final = 10
_LINE_PT: Final = 14
_MARGIN_PT: Final = 56
_PAINTED_AT: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_SYLLABLES_HZ: Final = (140, 175, 155, 0, 190, 165, 150, 0, 130, 145)
_LOUDEST: Final = 9000
_SHORTEST_PARAGRAPH: Final = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all files into `DOCUMENTS`; 0 when done, 2 when the font is not there."""
    parser = argparse.ArgumentParser(description="Make the PNG, PDF and WAV files and the long text.")
    parser.add_argument("--font", default=_FONT, help="a monospaced TrueType font (default: %(default)s)")
    name = parser.parse_args(arguments).font
    try:
        font = ImageFont.truetype(name, _FONT_PX)
    except OSError:
        print(f"no font {name!r}: install the DejaVu fonts, or give a file with --font", file=sys.stderr)
        return 2
    _write_all(font)
    return 0


def _write_all(font: ImageFont.FreeTypeFont) -> None:
    for name in PAINTED:
        source = DOCUMENTS / "facturas" / f"{name}.txt"
        write_png(source, font)
        source.with_suffix(".pdf").write_bytes(pdf(source.read_text(encoding="utf-8"), str(font.path)))
    note = DOCUMENTS / "audio" / "nota-de-voz.txt"
    note.with_suffix(".wav").write_bytes(wav(note.read_text(encoding="utf-8").strip()))
    note.with_name("sin-transcripcion.wav").write_bytes(wav(None))
    (DOCUMENTS / "hostiles" / "un-mebibyte.txt").write_bytes(long_text())


def write_png(source: Path, font: ImageFont.FreeTypeFont) -> None:
    """Paint a text file as a grey PNG beside it, with the text itself in an iTXt chunk `Description`."""
    text = source.read_text(encoding="utf-8")
    lines = text.splitlines()
    width = 2 * _MARGIN_PX + round(max(font.getlength(line) for line in lines))
    image = Image.new("L", (width, 2 * _MARGIN_PX + _LINE_PX * len(lines)), color=255)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        draw.text((_MARGIN_PX, _MARGIN_PX + number * _LINE_PX), line, font=font, fill=0)
    chunks = PngInfo()
    chunks.add_itxt("Description", text, lang="es")
    image.save(source.with_suffix(".png"), pnginfo=chunks)


def pdf(text: str, font: str) -> bytes:
    """Return a PDF of one A4 page with `text` as its text layer, set in the TrueType file `font`."""
    from fpdf import FPDF  # noqa: PLC0415 - in the group `paint` alone

    page = FPDF(unit="pt", format="A4")
    page.set_creation_date(_PAINTED_AT)
    page.set_lang("es")
    page.set_margin(_MARGIN_PT)
    page.add_page()
    page.add_font("mono", fname=font)
    page.set_font("mono", size=_FONT_PT)
    for line in text.splitlines():
        page.cell(w=0, h=_LINE_PT, text=line, new_x="LMARGIN", new_y="NEXT")
    return bytes(page.output())


def wav(transcript: str | None) -> bytes:
    """Return `SECONDS` of PCM, 16 bits, one channel, that hums in syllables.

    `transcript` goes into the comment (ICMT) of a LIST/INFO chunk, in UTF-8; with None there is no such chunk.
    """
    rate = struct.pack("<HHIIHH", 1, 1, RATE_HZ, RATE_HZ * 2, 2, 16)
    samples = struct.pack(f"<{RATE_HZ * SECONDS}h", *_hum())
    body = b"WAVE" + _chunk(b"fmt ", rate) + _chunk(b"data", samples)
    if transcript is not None:
        body += _chunk(b"LIST", b"INFO" + _chunk(b"ICMT", transcript.encode("utf-8") + b"\0"))
    return _chunk(b"RIFF", body)


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _hum() -> Iterator[int]:
    """Triangle waves in whole numbers, so that every machine gets the same samples."""
    length = RATE_HZ * SECONDS // len(_SYLLABLES_HZ)
    for hertz in _SYLLABLES_HZ:
        for tick in range(length):
            phase = tick * hertz * 4 * _LOUDEST // RATE_HZ % (4 * _LOUDEST)
            swell = min(tick, length - tick) * 2
            yield (abs(phase - 2 * _LOUDEST) - _LOUDEST) * swell // length if hertz else 0


def long_text() -> bytes:
    """Return `LONG_TEXT_BYTES` of Spanish paragraphs, each with its number, that end in a whole character."""
    letter = (DOCUMENTS / "textos" / "carta-vecinos-es.txt").read_text(encoding="utf-8")
    paragraphs = [paragraph for paragraph in letter.split("\n\n") if len(paragraph) > _SHORTEST_PARAGRAPH]
    text = bytearray()
    for number in count(1):
        text += f"{number}. {paragraphs[number % len(paragraphs)]}\n\n".encode()
        if len(text) >= LONG_TEXT_BYTES:
            break
    whole = bytes(text[: LONG_TEXT_BYTES - 1]).decode("utf-8", errors="ignore").encode("utf-8")
    return whole.ljust(LONG_TEXT_BYTES - 1, b".") + b"\n"


if __name__ == "__main__":
    sys.exit(main())
