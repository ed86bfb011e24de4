"""The word list of TRANSLATOR in both directions, with the forms of its nouns and adjectives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .lexicon import sections
from .words import fold

__all__ = ["LANGUAGES", "Dictionary", "Term", "dictionary", "feminine", "plural_es"]

LANGUAGES = ("en", "es")
"""The two languages that the list knows, as BCP 47 subtags."""

_FEMININE_ENDINGS = ("a", "ción", "sión", "dad", "tad", "tud", "umbre")
_UNMARKED_PLURALS = frozenset(
    ("data", "minutes", "premises", "headquarters", "works", "people", "insurance", "health", "help", "income", "VAT")
)
_IRREGULAR = {
    "man": "men",
    "woman": "women",
    "person": "people",
    "life": "lives",
    "half": "halves",
    "piece of news": "news",
}


@dataclass(frozen=True, slots=True)
class Term:
    """A translation: its text, what kind of word it is, and (of nouns) the gender and number in Spanish."""

    text: str
    kind: str
    feminine: bool = False
    plural: bool = False


class Dictionary:
    """One direction of the list: lower-case words, or a phrase's words joined by single spaces, to their translation."""

    def __init__(self, pairs: Iterator[tuple[str, Term]]) -> None:
        self._exact: dict[str, Term] = {}
        self._folded: dict[str, Term] = {}
        for source, term in pairs:
            self._exact.setdefault(source.casefold(), term)
            self._folded.setdefault(fold(source), term)
        self.longest = max(source.count(" ") + 1 for source in self._exact)

    def find(self, source: str) -> Term | None:
        """The translation of a word or phrase; accents may be missing, case does not matter."""
        return self._exact.get(source.casefold()) or self._folded.get(fold(source))


@cache
def dictionary(source: str, target: str) -> Dictionary:
    """The list from ``source`` to ``target``, each one of :data:`LANGUAGES`."""
    forms = list(_forms())
    if source == "es":
        return Dictionary((spanish, term) for spanish, english, term in forms)
    return Dictionary(
        (english, Term(spanish, term.kind, term.feminine, term.plural)) for spanish, english, term in forms
    )


def _forms() -> Iterator[tuple[str, str, Term]]:
    """Spanish form, English form, and the English one as a term, over all forms of all entries."""
    for kind, body in sections("es_en"):
        for line in body:
            left, _, english = line.partition(" = ")
            spanish, _, gender = left.partition(" (")
            if kind == "noun":
                yield from _noun_forms(spanish, english, gender)
            elif kind == "adjective":
                yield from ((form, english, Term(english, kind)) for form in _adjective_forms(spanish))
            else:
                yield spanish, english, Term(english, kind)


def _noun_forms(spanish: str, english: str, gender: str) -> Iterator[tuple[str, str, Term]]:
    is_feminine = gender == "f)" or (not gender and spanish.endswith(_FEMININE_ENDINGS))
    yield spanish, english, Term(english, "noun", is_feminine)
    many = _plural_en(english)
    yield plural_es(spanish), many, Term(many, "noun", is_feminine, plural=True)


def _adjective_forms(spanish: str) -> Iterator[str]:
    for form in dict.fromkeys((spanish, feminine(spanish))):
        yield form
        yield plural_es(form)


def feminine(adjective: str) -> str:
    """The feminine of a Spanish masculine: ``nuevo`` to ``nueva``, ``español`` to ``española``."""
    if adjective.endswith("o"):
        return adjective[:-1] + "a"
    if adjective in {"español", "inglés", "francés", "alemán"}:
        return _without_last_accent(adjective) + "a"
    return adjective


def plural_es(word: str) -> str:
    """The plural of a Spanish word."""
    if word.endswith("z"):
        return word[:-1] + "ces"
    if word[-1] in "aeiouáéó":
        return word + "s"
    if word.endswith("s") and word[-2] not in "áéíóú" and len(word) > 4:
        return word
    return (_without_last_accent(word) if word[-1] in "ns" else word) + "es"


def _without_last_accent(word: str) -> str:
    return word[:-2] + fold(word[-2]) + word[-1] if len(word) > 1 else word


def _plural_en(word: str) -> str:
    if word in _UNMARKED_PLURALS:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
