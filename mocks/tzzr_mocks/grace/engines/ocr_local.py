"""Reading the pixels themselves with RapidOCR, when the extra ``[local]`` brought it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from .port import Work

__all__ = ["is_installed", "read_picture"]


@cache
def is_installed() -> bool:
    """Whether RapidOCR and an inference runtime can be imported."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read_picture(work: Work) -> tuple[str, float] | None:
    """The lines that RapidOCR sees and their mean confidence; None when it sees none."""
    seen = _engine()(work.octets)
    lines, scores = getattr(seen, "txts", None), getattr(seen, "scores", None)
    if not lines or not scores:
        return None
    return "\n".join(lines), round(sum(scores) / len(scores), 4)


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR  # noqa: PLC0415 - an optional extra

    return RapidOCR()
