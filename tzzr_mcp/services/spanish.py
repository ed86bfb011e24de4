"""Numbers, times and lists as a Spanish sentence has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

MINUS = "−"


def number(value: float | str | Decimal, digits: int | None = None) -> str:
    """``1250`` → ``1.250``; with two digits ``"-187.5"`` → ``−187,50``."""
    exact = Decimal(str(value))
    plain = f"{abs(exact):,.{digits}f}" if digits is not None else f"{abs(exact):,f}"
    text = plain.translate(str.maketrans(",.", ".,"))
    return f"{MINUS}{text}" if exact < 0 and any(digit in "123456789" for digit in text) else text


def duration(seconds: float) -> str:
    """``12 ms``, ``1,4 s``, ``2 min 5 s``."""
    if seconds < 1:
        return f"{round(seconds * 1000)} ms"
    if seconds < 60:
        return f"{number(seconds, 1)} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def delay(seconds: float) -> str:
    """How long to wait: ``30 segundos``, ``2 minutos``."""
    whole = max(1, math.ceil(seconds))
    if whole > 90:
        return counted(math.ceil(whole / 60), "minuto", "minutos")
    return counted(whole, "segundo", "segundos")


def counted(count: int, one: str, many: str) -> str:
    """``1 línea``, ``3 líneas``."""
    return f"{number(count)} {one if count == 1 else many}"


def listed(items: Sequence[str], conjunction: str = "y") -> str:
    """``a``, ``a y b``, ``a, b y c``."""
    return f" {conjunction} ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)


def alike(items: Sequence[str]) -> str:
    """``Se parece a`` of one, ``Se parecen a y b`` of more."""
    return f"Se parece{'n' if len(items) > 1 else ''} {listed(items)}"


def shortened(text: str, most: int) -> str:
    """``text``, or its first ``most`` characters with a line that says how many there are and where."""
    if len(text) <= most:
        return text
    return f"{text[:most]}…\n(se muestran {number(most)} de {number(len(text))} caracteres; el resto, en los datos)"


def megabytes(size: int) -> str:
    """``7,0 MiB``, of 1,048,576 bytes."""
    return f"{number(size / 1024 / 1024, 1)} MiB"
