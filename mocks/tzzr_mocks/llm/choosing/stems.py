"""Words of a text by their stems, so that «invertirlos» and «inversión» are one."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import snowballstemmer

from tzzr_mocks.llm.words import folded

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SMALL: Final = """
a al algo ante aqui asi cada con cual cuales cuando cuanta cuantas cuanto cuantos da dame de del desde dime donde e el
ella ellas ellos en entre era es esa esas ese eso esos esta estan estas este esto estos favor fue ha hacer hasta hay haz
he la las le les lo los mas me mi mis muy necesito ni no nos o os para pero por porque puede puedes puedo que quien
quiero se ser si sin sobre son su sus tal te tengo tiene tienen toda todas todo todos tu tus u un una unas uno unos usar
use usela usted va ver y ya ano anos anual anuales mensual mensuales mes meses and for in of or the to
"""
_STOP: Final = frozenset(_SMALL.split())
"""Words that say nothing about what is asked."""
_GROUPS: Final = (
    "préstamo crédito hipoteca deuda financiado financiar loan",
    "inversión invertir invierto invierte patrimonio investment",
    "etiqueta tag tags",
    "huella hash",
    "imagen foto fotografía",
    "grabación audio",
    "traducir traducción traduzca traduzco",
    "idioma lengua",
    "buscar busque búsqueda encontrar localizar",
    "resumir resumen sintetizar síntesis",
    "interés tasa",
    "aportación aportar contribución",
    "cuota mensualidad",
    "embeddings vector",
    "clasificar clasificación clasifique categoría",
    "extraer extraiga sacar saque",
    "leer lee lea",
    "inflación inflation",
)
"""Words of one meaning, as any speaker of Spanish knows."""


@functools.cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("spanish")


def _plain_stem(word: str) -> str:
    """The stem of a folded word. The stemmer knows the endings -ción and -sión with their accent alone."""
    accented = re.sub(r"([cs])ion$", r"\1ión", word)
    return folded(_stemmer().stemWord(accented))


@functools.cache
def _meanings() -> Mapping[str, str]:
    return {
        _plain_stem(folded(word)): _plain_stem(folded(group.split()[0])) for group in _GROUPS for word in group.split()
    }


@functools.lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a word, one for all words of its meaning; empty for a word that says nothing."""
    plain = folded(word)
    if plain in _STOP:
        return ""
    found = _plain_stem(plain)
    return _meanings().get(found, found)


def stems(text: str) -> frozenset[str]:
    """The stems of a text's words; ``snake_case`` and ``camelCase`` are words too."""
    return frozenset(all_stems(words(text)))


def words(text: str) -> list[str]:
    """The words of a text, as they are written."""
    return _WORD.findall(_CAMEL.sub(" ", text))


def all_stems(given: Iterable[str]) -> list[str]:
    """The stems of words that say something, in their order."""
    return [found for word in given if (found := stem(word))]
