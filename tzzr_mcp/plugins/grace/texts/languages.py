"""Languages as a Spanish sentence calls them."""

from __future__ import annotations

from typing import Final

NAMES: Final = {
    "an": "aragonés",
    "ar": "árabe",
    "bg": "búlgaro",
    "ca": "catalán",
    "cs": "checo",
    "da": "danés",
    "de": "alemán",
    "el": "griego",
    "en": "inglés",
    "es": "español",
    "et": "estonio",
    "eu": "euskera",
    "fi": "finés",
    "fr": "francés",
    "ga": "irlandés",
    "gl": "gallego",
    "he": "hebreo",
    "hi": "hindi",
    "hr": "croata",
    "hu": "húngaro",
    "it": "italiano",
    "ja": "japonés",
    "ko": "coreano",
    "la": "latín",
    "lt": "lituano",
    "lv": "letón",
    "mt": "maltés",
    "nl": "neerlandés",
    "no": "noruego",
    "oc": "occitano",
    "pl": "polaco",
    "pt": "portugués",
    "ro": "rumano",
    "ru": "ruso",
    "sk": "eslovaco",
    "sl": "esloveno",
    "sv": "sueco",
    "tr": "turco",
    "uk": "ucraniano",
    "und": "desconocido",
    "zh": "chino",
}
"""Codes of the languages of Europe's institutions, of Spain, and of the largest beside; the rest keep their code."""


def language(code: str) -> str:
    """``es`` → ``español (es)``; a code without a name stays as it is."""
    return f"{NAMES[code]} ({code})" if code in NAMES else code
