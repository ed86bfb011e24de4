"""Names of languages in Spanish, and their ISO 639 codes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tzzr_mocks.llm.words import folded

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "aleman": "de", "arabe": "ar", "castellano": "es", "catalan": "ca", "checo": "cs", "chino": "zh", "coreano": "ko",
        "danes": "da", "espanol": "es", "euskera": "eu", "finlandes": "fi", "frances": "fr", "gallego": "gl",
        "griego": "el", "hungaro": "hu", "ingles": "en", "italiano": "it", "japones": "ja", "latin": "la",
        "neerlandes": "nl", "noruego": "no", "polaco": "pl", "portugues": "pt", "rumano": "ro", "ruso": "ru",
        "sueco": "sv", "turco": "tr", "ucraniano": "uk", "valenciano": "ca", "vasco": "eu",
    }
)  # fmt: skip
_SAID = re.compile(rf"\b(?P<way>al?|en|hacia|del?|desde|idioma)\s+(?:el\s+)?(?P<name>{'|'.join(CODES)})\b")
_WAYS: Final = {"a": "to", "al": "to", "hacia": "to", "de": "from", "del": "from", "desde": "from"}
_TO, _FROM = ("destin", "target", "_to"), ("origen", "source", "from")


@dataclass(frozen=True)
class Language:
    """A language that an instruction names: its code, and whether something goes ``to`` it, comes ``from`` it, or is ``in`` it."""

    code: str
    way: str


def languages(instruction: str) -> Iterator[Language]:
    """The languages that an instruction names."""
    for found in _SAID.finditer(folded(instruction)):
        yield Language(CODES[found["name"]], _WAYS.get(found["way"], "in"))


def way_of(argument: str) -> str:
    """Which language an argument of this name is about."""
    name = argument.casefold()
    if any(part in name for part in _TO):
        return "to"
    return "from" if any(part in name for part in _FROM) else "in"


def without_languages(instruction: str) -> str:
    """The instruction without the languages that it names; the other words as they were written."""
    plain = _aligned(instruction)
    spans = [found.span() for found in _SAID.finditer(plain)]
    for begin, end in reversed(spans):
        instruction = f"{instruction[:begin]} {instruction[end:]}"
    return instruction


def _aligned(text: str) -> str:
    """``text`` folded character by character, so that places stay."""
    return "".join(folded(one)[:1] or one for one in text)
