"""IMAGE_CAPTION: what can be said of any picture without guessing: its size, its shape and its colours."""

from __future__ import annotations

from collections import Counter

from PIL import Image

from .pace import cost_ms
from .pictures import IMAGE_TYPES, frame, opened
from .port import Answer, EngineError, Work

__all__ = ["describe"]

_COLOURS = {
    "negro": (0, 0, 0), "blanco": (255, 255, 255), "gris": (128, 128, 128), "rojo": (205, 30, 30),
    "naranja": (245, 140, 20), "amarillo": (245, 225, 40), "verde": (40, 150, 60), "turquesa": (50, 200, 200),
    "azul": (40, 80, 200), "azul claro": (150, 190, 240), "violeta": (130, 50, 170), "rosa": (245, 150, 185),
    "marrón": (120, 75, 40), "beis": (230, 215, 180),
}  # fmt: skip
_SAMPLE_SIDE = 48
_WORTH_NAMING = 0.12
_SQUARE = 0.03
_SURE = 0.8


def describe(work: Work) -> Answer:
    """``{caption, width_px, height_px}``: a Spanish sentence. Raises as :func:`pictures.opened` does."""
    if work.media_type not in IMAGE_TYPES or isinstance(work.content, str):
        raise EngineError(
            "PAYLOAD_UNSUPPORTED", f"{work.module} does not take {work.media_type}", {"accepted": list(IMAGE_TYPES)}
        )
    with opened(work) as image:
        shown = frame(work, image, 1)
        width, height, colours = shown.width, shown.height, _colours(shown)
    tones = f"predomina el {colours[0]}" if len(colours) == 1 else f"predominan el {' y el '.join(colours)}"
    caption = f"Imagen {_shape(width, height)} de {width} × {height} píxeles en la que {tones}."
    result = {"caption": caption, "width_px": width, "height_px": height}
    return Answer(result, _SURE, cost_ms=cost_ms(work.module, len(work.octets)))


def _shape(width: int, height: int) -> str:
    if abs(width - height) <= _SQUARE * max(width, height):
        return "cuadrada"
    return "apaisada" if width > height else "vertical"


def _colours(image: Image.Image) -> list[str]:
    """The one or two commonest colours, by name, on white where the picture is transparent."""
    small = image.convert("RGBA").resize((_SAMPLE_SIDE, _SAMPLE_SIDE), Image.Resampling.BOX)
    flat = Image.alpha_composite(Image.new("RGBA", small.size, "white"), small).convert("RGB").tobytes()
    names = Counter(_nearest(flat[place], flat[place + 1], flat[place + 2]) for place in range(0, len(flat), 3))
    ranked = sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))
    return [name for name, count in ranked[:2] if count >= _WORTH_NAMING * _SAMPLE_SIDE**2] or [ranked[0][0]]


def _nearest(red: int, green: int, blue: int) -> str:
    def distance(name: str) -> int:
        other = _COLOURS[name]
        return (red - other[0]) ** 2 + (green - other[1]) ** 2 + (blue - other[2]) ** 2

    return min(_COLOURS, key=distance)
