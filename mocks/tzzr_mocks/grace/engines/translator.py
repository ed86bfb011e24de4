"""TRANSLATOR: a phrase and word list between Spanish and English, the longest phrase first.

What the list does not know is kept and marked with double square brackets, so that nobody takes it for
translated; names and codes are kept as they are. Adjectives change sides with their nouns, articles agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from . import params
from .dictionary import LANGUAGES, Dictionary, Term, dictionary, feminine, plural_es
from .lang_detect import guess
from .pace import cost_ms
from .port import Answer, EngineError, Work

__all__ = ["MARKS", "translate"]

MARKS = ("⟦", "⟧")
"""What stands around a word that was not translated."""

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?:;¡¿\n]")
_ARTICLES = {
    "el": ("el", "la", "los", "las"),
    "un": ("un", "una", "unos", "unas"),
    "este": ("este", "esta", "estos", "estas"),
    "ese": ("ese", "esa", "esos", "esas"),
    "nuestro": ("nuestro", "nuestra", "nuestros", "nuestras"),
}
_SURE_OF_LANGUAGE = 0.5


@dataclass(frozen=True, slots=True)
class _Piece:
    """A translated run and the text between it and the next; ``term`` is None for what was kept."""

    source: str
    gap: str
    term: Term | None = None
    is_name: bool = False


def translate(work: Work) -> Answer:
    """``{text, source_lang, target_lang}``; the confidence is the share of words that the list knew.

    Raises ``LANG_UNSUPPORTED`` (``details.supported``: the languages between which it translates) and
    ``PARAMS_INVALID`` when ``target_lang`` is missing.
    """
    target = _target(work)
    source = _source(work, target)
    text, confidence = (work.text, 1.0) if source == target else _translated(work.text, source, target)
    result = {"text": text, "source_lang": source, "target_lang": target}
    return Answer(result, confidence, cost_ms=cost_ms(work.module, len(work.octets)))


def _target(work: Work) -> str:
    target = work.params.get("target_lang")
    if not isinstance(target, str) or not target:
        params.refuse("target_lang", "the language to translate into is missing")
    return _supported(target)


def _supported(language: str) -> str:
    if language not in LANGUAGES:
        message = f"{language!r} cannot be translated; the languages are {' and '.join(LANGUAGES)}"
        raise EngineError("LANG_UNSUPPORTED", message, {"supported": list(LANGUAGES), "lang": language})
    return language


def _source(work: Work, target: str) -> str:
    """The language that was named, or the one detected; where detection is unsure, the one whose words are known.

    A few letters tell no language, so a short text of which neither list knows a word is refused unless it was guessed
    to be of one: whoever sent it is asked to name its language.
    """
    if work.lang != "auto":
        return _supported(work.lang)
    language, confidence = guess(work.text)[0]
    if confidence >= _SURE_OF_LANGUAGE:
        return _supported(language)
    other = next(language for language in LANGUAGES if language != target)
    known = {one: _translated(work.text, one, two)[1] for one, two in ((other, target), (target, other))}
    if len(set(known.values())) == 1 and (language in LANGUAGES or not any(known.values())):
        return _supported(language)
    return max(known, key=lambda language: known[language])


def _translated(text: str, source: str, target: str) -> tuple[str, float]:
    lead = re.match(r"[\W_]*", text)
    opening = lead.group() if lead else ""
    pieces = list(_pieces(text, len(opening), source, target))
    ordered = _agreeing(list(_swapped(pieces, target)), target)
    body = "".join(_written(piece) + piece.gap for piece in ordered)
    known = sum(len(piece.source.split()) for piece in pieces if piece.term)
    unknown = sum(piece.term is None and not piece.is_name for piece in pieces)
    confidence = round(known / (known + unknown), 4) if known + unknown else 1.0
    joined = opening + body
    plain = re.sub(r"[¿¡]", "", joined) if target == "en" else joined
    return plain if plain.strip() else joined, confidence


def _pieces(text: str, start: int, source: str, target: str) -> Iterator[_Piece]:
    """The text in runs, each the longest that the list has; a run's words are parted by single blanks only."""
    tokens = list(_TOKEN.finditer(text, start))
    words = dictionary(source, target)
    place = 0
    begins_sentence = True
    while place < len(tokens):
        size = _longest(text, tokens, place, words)
        last = place + max(size, 1)
        end = tokens[last - 1].end()
        gap = text[end : tokens[last].start() if last < len(tokens) else len(text)]
        run = text[tokens[place].start() : end]
        yield _Piece(run, gap, words.find(run) if size else None, not size and _is_name(run, begins_sentence))
        begins_sentence = bool(_SENTENCE_END.search(gap))
        place = last


def _longest(text: str, tokens: Sequence[re.Match[str]], place: int, words: Dictionary) -> int:
    """How many tokens the longest known run at ``place`` has; 0 when not even one is known."""
    for size in range(min(words.longest, len(tokens) - place), 0, -1):
        run = text[tokens[place].start() : tokens[place + size - 1].end()]
        if run.count(" ") == size - 1 and words.find(run):
            return size
    return 0


def _is_name(word: str, begins_sentence: bool) -> bool:
    """A code, or a word with a capital where no sentence begins: kept as it is, and no gap in the translation."""
    return any(mark.isdigit() for mark in word) or (word[:1].isupper() and not begins_sentence)


def _swapped(pieces: Sequence[_Piece], target: str) -> Iterator[_Piece]:
    """Adjective before noun in English, noun before adjective in Spanish."""
    first, second = ("noun", "adjective") if target == "en" else ("adjective", "noun")
    place = 0
    while place < len(pieces):
        pair = pieces[place : place + 2]
        if [_kind(piece) for piece in pair] == [first, second] and pair[0].gap == " ":
            yield from (replace(pair[1], gap=" "), replace(pair[0], gap=pair[1].gap))
            place += 2
        else:
            yield pieces[place]
            place += 1


def _kind(piece: _Piece) -> str:
    return piece.term.kind if piece.term else ""


def _agreeing(pieces: list[_Piece], target: str) -> list[_Piece]:
    """Into Spanish, articles before a noun and adjectives behind it take its gender and number."""
    if target != "es":
        return pieces
    agreed = list(pieces)
    for place, piece in enumerate(pieces):
        if piece.term and piece.term.kind == "noun":
            for near in (place - 1, place + 1):
                if 0 <= near < len(pieces):
                    agreed[near] = _inflected(pieces[near], piece.term, before=near < place)
    return agreed


def _inflected(piece: _Piece, noun: Term, *, before: bool) -> _Piece:
    term = piece.term
    if term is None:
        return piece
    if before and term.text in _ARTICLES:
        return replace(piece, term=replace(term, text=_ARTICLES[term.text][noun.feminine + 2 * noun.plural]))
    if not before and term.kind == "adjective":
        form = feminine(term.text) if noun.feminine else term.text
        return replace(piece, term=replace(term, text=plural_es(form) if noun.plural else form))
    return piece


def _written(piece: _Piece) -> str:
    """The translation in the case of the source; what was not translated between the marks."""
    if piece.term is None:
        return piece.source if piece.is_name else f"{MARKS[0]}{piece.source}{MARKS[1]}"
    text = piece.term.text
    if piece.source.isupper() and len(piece.source) > 1:
        return text.upper()
    return text[0].upper() + text[1:] if piece.source[0].isupper() else text
