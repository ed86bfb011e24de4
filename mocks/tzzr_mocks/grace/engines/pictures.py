"""Opening images with Pillow and refusing bytes that are not what they claim to be."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageOps, UnidentifiedImageError

from .port import EngineError, Work

__all__ = ["IMAGE_TYPES", "corrupt", "frame", "frame_count", "opened"]

IMAGE_TYPES = {"image/png": "PNG", "image/jpeg": "JPEG", "image/tiff": "TIFF", "image/webp": "WEBP"}
"""Media type to the name that Pillow gives the format."""

_MAX_PIXELS = 64_000_000
_BYTES_PER_PIXEL = 4
_DAMAGE = (OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError)
"""What Pillow raises over damaged bytes."""


def corrupt(work: Work, reason: str) -> EngineError:
    """The ``PAYLOAD_CORRUPT`` that says why the bytes are not of the declared media type."""
    return EngineError(
        "PAYLOAD_CORRUPT", f"the bytes are not a readable {work.media_type}: {reason}", {"media_type": work.media_type}
    )


@contextmanager
def opened(work: Work) -> Iterator[Image.Image]:
    """The whole decoded image, first frame. Raises ``PAYLOAD_CORRUPT`` or ``PAYLOAD_TOO_LARGE``."""
    expected = IMAGE_TYPES[str(work.media_type)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            image = Image.open(io.BytesIO(work.octets), formats=list(IMAGE_TYPES.values()))
        except Image.DecompressionBombError as error:
            raise _too_large(work, 2 * _MAX_PIXELS) from error
        except (UnidentifiedImageError, *_DAMAGE) as error:
            raise corrupt(work, "no image can be decoded from them") from error
        if image.format not in {expected, "MPO" if expected == "JPEG" else expected}:
            raise corrupt(work, f"they are {image.format}")
        if image.width * image.height > _MAX_PIXELS:
            raise _too_large(work, image.width * image.height)
        try:
            image.load()
        except _DAMAGE as error:
            raise corrupt(work, "the image is cut short or damaged") from error
        yield image


def frame_count(work: Work, image: Image.Image) -> int:
    """How many frames (pages of a TIFF) the image has. Raises ``PAYLOAD_CORRUPT``."""
    try:
        return int(getattr(image, "n_frames", 1))
    except _DAMAGE as error:
        raise corrupt(work, "the list of its pages is damaged") from error


def frame(work: Work, image: Image.Image, number: int) -> Image.Image:
    """Frame ``number`` (from 1) as the eye sees it, turned as its EXIF orientation says. Raises ``PAYLOAD_CORRUPT``."""
    try:
        image.seek(number - 1)
        image.load()
    except _DAMAGE as error:
        raise corrupt(work, f"page {number} is damaged") from error
    return ImageOps.exif_transpose(image)


def _too_large(work: Work, pixels: int) -> EngineError:
    return EngineError(
        "PAYLOAD_TOO_LARGE",
        f"{work.module} decodes at most {_MAX_PIXELS} pixels, and the image has {pixels}",
        {"limit_bytes": _MAX_PIXELS * _BYTES_PER_PIXEL, "size_bytes": pixels * _BYTES_PER_PIXEL},
    )
