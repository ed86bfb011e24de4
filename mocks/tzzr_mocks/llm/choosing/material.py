"""A question taken apart: what is asked, and the text that it is asked about, quoted or pasted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

MARK = "\ue000"
"""Stands in an instruction where the text was that it is about."""
_FENCE = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_QUOTES = re.compile(r"«([^»]+)»|“([^”]+)”|\"([^\"]+)\"|(?<!\w)'([^'\n]+)'(?!\w)|(?<!\w)‘([^’]+)’(?!\w)")
_COLON = re.compile(r":\s+(?=\S)")
_LINES = 3
"""From so many lines on a question is taken for one with a pasted document."""
_CLAUSE = re.compile(r"[.;?!¿¡](?:\s|$)|[¿¡\n]|,(?!\d)|\b(?:y|e|o|u|además|también|luego|después)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """``instruction`` has a `MARK` for each of the ``materials``; ``whole`` is what was written."""

    whole: str
    instruction: str
    materials: tuple[str, ...] = ()

    @cached_property
    def clauses(self) -> tuple[Question, ...]:
        """The instruction's clauses, each with the material that stands in it."""
        parts = [part.strip() for part in _CLAUSE.split(self.instruction)]
        left, clauses = list(self.materials), []
        for part in parts:
            mine = tuple(left.pop(0) for _ in range(min(part.count(MARK), len(left))))
            if part:
                clauses.append(Question(part, part, mine))
        return tuple(clauses)


def taken_apart(text: str) -> Question:
    """The question that a person wrote."""
    text = text.strip()
    if found := _FENCE.search(text):
        return Question(text, _FENCE.sub(MARK, text, count=1), (found[1].strip(),))
    if text.count("\n") >= _LINES - 1:
        return _pasted(text)
    return _after_colon(text) or _quoted(text)


def _pasted(text: str) -> Question:
    """The first line that ends in a colon asks; without one, the whole is the document."""
    first, _, rest = text.partition("\n")
    if first.rstrip().endswith((":", "?", ".")) and rest.strip():
        return Question(text, f"{first.rstrip(' :')} {MARK}", (rest.strip(),))
    return Question(text, f"{first} {MARK}", (text,))


def _after_colon(text: str) -> Question | None:
    found, quote = _COLON.search(text), _QUOTES.search(text)
    if not found or (quote and quote.start() < found.start()):
        return None
    rest = text[found.end() :].strip()
    rest = rest.rstrip("?") if text.startswith("¿") else rest
    if quoted := _QUOTES.fullmatch(rest):
        rest = _inside(quoted)
    elif quote:
        return _quoted(text)
    return Question(text, f"{text[: found.start()]} {MARK}", (rest,))


def _quoted(text: str) -> Question:
    materials = tuple(_inside(found) for found in _QUOTES.finditer(text))
    return Question(text, _QUOTES.sub(MARK, text), materials)


def _inside(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group is not None)
