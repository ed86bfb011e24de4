"""Text made up from the digest of the input: what an offline reader or listener says when it cannot know.

The same bytes always get the same words. Whoever uses this marks the answer ``invented``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

__all__ = ["invented_document", "invented_speech"]

_HEADINGS = ("Nota interna", "Aviso a los clientes", "Hoja de servicio", "Resumen de la visita", "Parte de trabajo")
_DOCUMENT_LINES = (
    "Fecha: {day} de {month} de 2026",
    "Referencia: {letter}-{number}",
    "Se revisa el expediente y queda pendiente de firma.",
    "Material entregado: {units} unidades.",
    "Responsable del turno: el equipo de {place}.",
    "Próxima revisión prevista en {place}.",
    "Importe estimado: {number},{cents} euros.",
    "Observaciones: sin incidencias.",
)
_SPEECH_LINES = (
    "Buenos días a todos, empezamos la reunión.",
    "El primer punto es el pedido de {units} unidades para {place}.",
    "El plazo termina el {day} de {month}.",
    "Queda pendiente revisar el presupuesto con el cliente.",
    "De acuerdo, lo dejamos anotado en el acta.",
    "La próxima cita será en {place}.",
    "¿Alguna pregunta antes de seguir?",
    "Hay que llamar al proveedor esta misma semana.",
    "Muchas gracias por vuestro tiempo.",
)
_MONTHS = ("enero", "febrero", "marzo", "abril", "mayo", "junio", "septiembre", "octubre", "noviembre", "diciembre")
_PLACES = ("Madrid", "Valencia", "Sevilla", "Bilbao", "Zaragoza", "Vigo", "Málaga", "Oviedo")


def invented_document(octets: bytes, salt: str) -> str:
    """A heading and four lines of an office document; ``salt`` tells the pages of one file apart."""
    numbers = _numbers(octets, salt)
    heading = _HEADINGS[next(numbers) % len(_HEADINGS)]
    return "\n".join([heading, *_filled(_DOCUMENT_LINES, 4, numbers)])


def invented_speech(octets: bytes, sentences: int) -> str:
    """``sentences`` spoken sentences, at most as many as there are to choose from."""
    return " ".join(_filled(_SPEECH_LINES, sentences, _numbers(octets, "speech")))


def _filled(lines: Sequence[str], count: int, numbers: Iterator[int]) -> list[str]:
    first = next(numbers) % len(lines)
    chosen = sorted((first + step) % len(lines) for step in range(min(count, len(lines))))
    return [lines[place].format_map(_details(numbers)) for place in chosen]


def _details(numbers: Iterator[int]) -> dict[str, str]:
    return {
        "day": str(1 + next(numbers) % 28),
        "month": _MONTHS[next(numbers) % len(_MONTHS)],
        "letter": "ABCDEFGH"[next(numbers) % 8],
        "number": str(100 + next(numbers) % 900),
        "cents": f"{next(numbers) % 100:02d}",
        "units": str(2 + next(numbers) % 48),
        "place": _PLACES[next(numbers) % len(_PLACES)],
    }


def _numbers(octets: bytes, salt: str) -> Iterator[int]:
    """An endless run of numbers that the bytes and the salt alone decide."""
    seed = hashlib.sha256(octets).digest() + salt.encode()
    block = 0
    while True:
        yield from hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
        block += 1
