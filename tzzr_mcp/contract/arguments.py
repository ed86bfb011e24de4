"""What a tool's schema cannot say about its arguments: each check refuses with one plain Spanish sentence.

Every function raises `ArgumentInvalid`, whose details name the argument and what is accepted. Source: contract §1
and §5.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tzzr_mcp.contract.catalogue import LIMIT_BASE64, LIMIT_BYTES, MEDIA_TYPES
from tzzr_mcp.contract.errors import ArgumentInvalid, Code, shown
from tzzr_mcp.contract.media import sniff

SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "ocr": ("imagen_base64", "archivo"),
    "transcribir": ("audio_base64", "archivo"),
    "generar_hash": ("texto", "contenido_base64"),
}
"""The tools that take their content from exactly one of several arguments; every other takes `texto`."""

_UNSENDABLE: Final = re.compile(r"[\x00\ud800-\udfff]")
_NOUNS: Final = {"image": "una imagen o un PDF", "audio": "una grabación"}


def source_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """The one argument that holds the content; refused when none or more than one is given."""
    names = SOURCES.get(tool, ("texto",))
    given = [name for name in names if name in arguments]
    if len(given) == 1:
        return given[0]
    came = "llegaron todos" if given else "no llegó ninguno"
    choice = " o ".join(f"«{name}»" for name in names)
    message = f"Indique exactamente uno de estos argumentos: {choice} ({came})."
    raise ArgumentInvalid(names[0], message, accepted=list(names), given=given)


def check_strings(arguments: Mapping[str, Any]) -> None:
    """Refuse NUL and lone surrogates in any string, and labels of nothing but white space."""
    for name, text in _strings(arguments):
        if bad := _UNSENDABLE.search(text):
            where = f"U+{ord(bad[0]):04X} en la posición {bad.start() + 1}"
            message = f"El argumento «{name}» contiene un carácter que no se puede enviar ({where}); se acepta texto Unicode sin caracteres nulos ni sustitutos sueltos."
            raise ArgumentInvalid(name, message, position=bad.start())
        if not text.strip():
            message = (
                f"El argumento «{name}» está en blanco ({shown(text)}); se acepta un texto con algún carácter visible."
            )
            raise ArgumentInvalid(name, message)


def _strings(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in arguments.items():
        values = value if isinstance(value, list) else [value]
        yield from ((name, text) for text in values if isinstance(text, str))


def check_size(name: str, size: int) -> None:
    """Refuse no content, and more than 7 MiB of it; `size` in decoded bytes."""
    if not size:
        message = (
            f"El argumento «{name}» no tiene contenido (0 bytes); se acepta de 1 byte a {LIMIT_BYTES // 2**20} MiB."
        )
        raise ArgumentInvalid(name, message, limit_bytes=LIMIT_BYTES, size_bytes=size)
    if size > LIMIT_BYTES:
        accepted = f"como mucho {_spelled(LIMIT_BYTES)} ({LIMIT_BYTES // 2**20} MiB)"
        message = f"El argumento «{name}» ocupa {_spelled(size)} bytes; se aceptan {accepted}."
        raise ArgumentInvalid(name, message, limit_bytes=LIMIT_BYTES, size_bytes=size)


def _spelled(number: int) -> str:
    return f"{number:,}".replace(",", ".")


def decoded(name: str, text: str) -> bytes:
    """The bytes of base64 `text`: standard alphabet, padded, no line breaks, not empty, at most 7 MiB."""
    if len(text) > LIMIT_BASE64:
        check_size(name, len(text) * 3 // 4)
    try:
        octets = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        accepted = "base64 estándar, con relleno, sin saltos de línea ni prefijo «data:»"
        message = f"El argumento «{name}» no es base64 válido ({shown(text)}); se acepta {accepted}."
        raise ArgumentInvalid(name, message, accepted=accepted) from error
    check_size(name, len(octets))
    return octets


def media_type_of(kind: str, name: str, octets: bytes, declared: str | None) -> str:
    """The media type of an image or a recording: as declared, else told by its first bytes.

    Refused as MEDIA_TYPE_UNKNOWN when neither says, and as ARGUMENT_INVALID when they contradict each other.
    """
    accepted = MEDIA_TYPES[kind]
    told = sniff(octets)
    if declared in accepted and told in {None, declared}:
        return declared
    if declared is None and told in accepted:
        return told
    raise _unsuitable(kind, name, (declared, told), octets)


def _unsuitable(kind: str, name: str, types: tuple[str | None, str | None], octets: bytes) -> ArgumentInvalid:
    declared, told = types
    accepted: Sequence[str] = MEDIA_TYPES[kind]
    choice = ", ".join(accepted)
    if told is None:
        first = octets[:8].hex(" ")
        message = (
            f"No se reconoce el tipo de «{name}» (primeros bytes: {first}); se acepta {_NOUNS[kind]} de tipo {choice}."
        )
        return ArgumentInvalid(name, message, code=Code.MEDIA_TYPE_UNKNOWN, accepted=list(accepted))
    if told in accepted and declared is not None:
        message = f"El argumento «tipo_mime» dice {shown(declared)} pero el contenido de «{name}» es {told}; corrija «tipo_mime» o quítelo."
        return ArgumentInvalid("tipo_mime", message, accepted=[told])
    message = f"El contenido de «{name}» es {told}; se acepta {_NOUNS[kind]} de tipo {choice}."
    return ArgumentInvalid(name, message, accepted=list(accepted))
