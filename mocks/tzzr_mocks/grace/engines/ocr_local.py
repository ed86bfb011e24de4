"""Reading the pixels themselves with RapidOCR, when the extra ``[local]`` brought it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import Any

from PIL import Image

from .ocr_rows import Piece, in_rows

__all__ = ["is_installed", "read_picture"]

_LEAST_SIDE = 8
"""Pixels below which no letter can be told."""

_LONGEST_SHAPE = 3
"""How many times as long as wide a picture may be: RapidOCR enlarges the short side, and the long one with it."""

_READING = Lock()
"""One picture at a time: RapidOCR keeps state between its stages, and engines may run in threads."""


@cache
def is_installed() -> bool:
    """Whether RapidOCR and an inference runtime can be imported."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read_picture(picture: Image.Image) -> tuple[str, float] | None:
    """What RapidOCR sees, row by row, and its mean confidence; None when it sees no text."""
    if min(picture.size) < _LEAST_SIDE:
        return None
    with _READING:
        seen = _engine()(_on_paper(picture))
    boxes, texts, scores = (getattr(seen, name, None) for name in ("boxes", "txts", "scores"))
    if boxes is None or not texts or not scores:
        return None
    pieces = [Piece([(float(x), float(y)) for x, y in box], text) for box, text in zip(boxes, texts, strict=True)]
    return in_rows(pieces), round(float(sum(scores)) / len(scores), 4)


def _on_paper(picture: Image.Image) -> Image.Image:
    """The picture in three colours on white: paper shows where it is transparent, and beside a strip."""
    least = -(-max(picture.size) // _LONGEST_SHAPE)
    paper = Image.new("RGB", (max(picture.width, least), max(picture.height, least)), "white")
    clear = picture.convert("RGBA") if picture.has_transparency_data else None
    paper.paste(clear or picture, (0, 0), clear)
    return paper


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR  # noqa: PLC0415 - an optional extra

    return RapidOCR(params={"Global.log_level": "error"})
