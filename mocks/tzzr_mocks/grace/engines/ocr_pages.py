"""What a page of an image file or a PDF says, from the text that the file itself carries."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from PIL import ExifTags, Image
from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from .pictures import corrupt, frame, frame_count, opened
from .port import EngineError, Work

__all__ = ["PDF", "Page", "pages_of", "picture_text"]

PDF = "application/pdf"

_TEXT_KEYS = ("text", "texto", "ocr", "description", "imagedescription", "comment", "usercomment", "title")
_MAX_PAGES = 200
_EXIF_IFD = 0x8769
_DAMAGE = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, RecursionError)
"""What pypdf raises over a damaged file: its own error, and whatever its parser stumbles over."""

# A damaged PDF is an answer to the caller here, not a line for the operator's log.
logging.getLogger("pypdf").addHandler(logging.NullHandler())
logging.getLogger("pypdf").propagate = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its size (pixels of an image, points of a PDF at 72 per inch) and the text the file carries.

    ``picture`` decodes what a reader of pixels would look at: the image itself, or the largest image on the
    page of a PDF; None where there is none.
    """

    number: int
    width_px: int
    height_px: int
    text: str
    picture: Callable[[], Image.Image | None] = field(compare=False, repr=False)


def pages_of(work: Work) -> list[Page]:
    """All pages of the payload, numbered from 1. Raises ``PAYLOAD_CORRUPT``."""
    if work.media_type == PDF:
        return _pdf_pages(work)
    with opened(work) as image:
        return [_image_page(work, image, number) for number in range(1, frame_count(work, image) + 1)]


def picture_text(image: Image.Image) -> str:
    """The text embedded in an image: PNG text chunks, a JPEG comment, EXIF or TIFF descriptions; "" when none."""
    found = {key.casefold(): text for key, text in _embedded(image) if text.strip()}
    return next((found[key] for key in _TEXT_KEYS if key in found), "").strip()


def _embedded(image: Image.Image) -> Iterator[tuple[str, str]]:
    exif = image.getexif()
    for tag, value in (*exif.items(), *exif.get_ifd(_EXIF_IFD).items()):
        yield ExifTags.TAGS.get(tag, str(tag)), _decoded(value)
    for key, value in image.info.items():
        if isinstance(key, str):
            yield key, _decoded(value)


def _decoded(value: object) -> str:
    if isinstance(value, bytes):
        plain = value.removeprefix(b"ASCII\0\0\0").removeprefix(b"UNICODE\0")
        return plain.decode("utf-8", "replace").strip("\0")
    return value.strip("\0") if isinstance(value, str) else ""


def _image_page(work: Work, image: Image.Image, number: int) -> Page:
    seen = frame(work, image, number)
    return Page(number, seen.width, seen.height, picture_text(image), partial(frame, work, image, number))


def _pdf_page(number: int, sheet: PageObject) -> Page:
    box = sheet.mediabox
    text = sheet.extract_text().strip()
    return Page(number, max(1, round(box.width)), max(1, round(box.height)), text, partial(_scan, sheet))


def _scan(sheet: PageObject) -> Image.Image | None:
    """The largest image on a page, upright: a scanned page is one image. None when none can be decoded."""
    try:
        pictures = [found.image for found in sheet.images if found.image is not None]
        largest = max(pictures, key=lambda picture: picture.width * picture.height, default=None)
        return largest.rotate(-sheet.rotation, expand=True) if largest and sheet.rotation else largest
    except (*_DAMAGE, NotImplementedError, ImportError, Image.DecompressionBombError):
        return None


def _pdf_pages(work: Work) -> list[Page]:
    if b"%PDF-" not in work.octets[:1024]:
        raise corrupt(work, "the PDF header is missing")
    try:
        reader = PdfReader(io.BytesIO(work.octets))
        if reader.is_encrypted and not reader.decrypt(""):
            raise corrupt(work, "the PDF is encrypted")
        sheets = list(reader.pages[:_MAX_PAGES])
        pages = [_pdf_page(number, sheet) for number, sheet in enumerate(sheets, start=1)]
    except EngineError:
        raise
    except _DAMAGE as error:
        raise corrupt(work, "the PDF's structure is damaged") from error
    if not pages:
        raise corrupt(work, "the PDF has no page")
    return pages
