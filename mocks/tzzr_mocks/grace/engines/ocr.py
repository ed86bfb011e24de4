"""OCR_LOCAL, OCR_GROQ and OCR_OPENAI: one reading, three providers that differ in confidence and pace alone.

A page's text is, in this order: the text layer of a PDF, what RapidOCR reads in the picture (extra
``[local]``; the largest image of a PDF's page), what the image carries itself (PNG text chunk, JPEG comment,
EXIF description), or, marked as such, an invention from the file's digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import ocr_local, params
from .invention import invented_document
from .lang_detect import UNDETERMINED, guess
from .ocr_pages import PDF, Page, pages_of
from .pace import cost_ms
from .pictures import IMAGE_TYPES
from .port import Answer, EngineError, Work

__all__ = ["MEDIA_TYPES", "read"]

MEDIA_TYPES = (*IMAGE_TYPES, PDF)
"""The media types of CONTRACT §1 that OCR takes."""

_CONFIDENCES = {"OCR_LOCAL": 0.91, "OCR_GROQ": 0.95, "OCR_OPENAI": 0.97}
_INVENTED_DISCOUNT = 0.15


@dataclass(frozen=True, slots=True)
class _Reading:
    page: Page
    text: str
    confidence: float
    invented: bool


def read(work: Work) -> Answer:
    """``{text, confidence, language, pages}``; pages are joined by a form feed on its own line.

    Raises ``PAYLOAD_UNSUPPORTED``, ``PAYLOAD_CORRUPT``, ``PAYLOAD_TOO_LARGE``, or ``PARAMS_INVALID`` when
    ``pages`` names one that the file does not have.
    """
    if work.media_type not in MEDIA_TYPES or isinstance(work.content, str):
        raise EngineError(
            "PAYLOAD_UNSUPPORTED", f"{work.module} does not read {work.media_type}", {"accepted": list(MEDIA_TYPES)}
        )
    every_page = pages_of(work)
    readings = [_reading(work, page) for page in _chosen(work, every_page)]
    text = "\n\f\n".join(reading.text for reading in readings)
    confidence = round(sum(reading.confidence for reading in readings) / len(readings), 4)
    result: dict[str, Any] = {
        "text": text,
        "confidence": confidence,
        "language": _language(work, text),
        "pages": [_page_result(reading) for reading in readings],
    }
    invented = any(reading.invented for reading in readings)
    return Answer(result, confidence, invented, cost_ms(work.module, len(work.octets)))


def _chosen(work: Work, pages: Sequence[Page]) -> list[Page]:
    """The pages that ``params.pages`` asks for, in the order of the file; all of them when it is absent."""
    wanted = work.params.get("pages")
    if wanted is None:
        return list(pages)
    if not isinstance(wanted, list | tuple) or not wanted:
        params.refuse("pages", "a list of at least one page number is expected")
    for number in wanted:
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(pages):
            params.refuse("pages", f"there is no page {number!r}; the file has pages 1 to {len(pages)}")
    return [page for page in pages if page.number in wanted]


def _reading(work: Work, page: Page) -> _Reading:
    has_layer = work.media_type == PDF and page.text
    picture = page.picture() if ocr_local.is_installed() and not has_layer else None
    seen = ocr_local.read_picture(picture) if picture else None
    return _Reading(page, *seen, invented=False) if seen else _carried_or_invented(work, page)


def _carried_or_invented(work: Work, page: Page) -> _Reading:
    confidence = _CONFIDENCES.get(work.module, min(_CONFIDENCES.values()))
    if page.text:
        return _Reading(page, page.text, confidence, invented=False)
    text = invented_document(work.octets, f"page {page.number}")
    return _Reading(page, text, round(confidence - _INVENTED_DISCOUNT, 4), invented=True)


def _language(work: Work, text: str) -> str:
    guessed = guess(text)[0][0]
    asked = "es" if work.lang == "auto" else work.lang
    return asked if guessed == UNDETERMINED else guessed


def _page_result(reading: _Reading) -> dict[str, Any]:
    return {
        "page": reading.page.number,
        "text": reading.text,
        "width_px": reading.page.width_px,
        "height_px": reading.page.height_px,
        "confidence": reading.confidence,
    }
