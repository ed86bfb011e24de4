"""The numbers of an instruction: value, unit, and the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tzzr_mocks.llm.choosing.material import Question
from tzzr_mocks.llm.choosing.stems import stem
from tzzr_mocks.llm.words import folded

Unit = Literal["percent", "months", "years", "money", "plain"]
_NUMBER = re.compile(
    r"(?<![\w.,/-])-?[0-9]{1,3}(?:[.,  ][0-9]{3})+(?:[.,][0-9]{1,2})?(?![0-9])|(?<![\w.,/-])-?[0-9]+(?:[.,][0-9]+)?"
)
_TOKEN = re.compile(rf"{_NUMBER.pattern}|[^\W\d_]+|[%$€£]")
_SCALE = {"mil": 1e3, "millon": 1e6, "millones": 1e6}
_UNITS: dict[str, Unit] = {
    "%": "percent", "mes": "months", "meses": "months", "ano": "years", "anos": "years", "$": "money", "€": "money",
    "£": "money", "euro": "money", "euros": "money", "dolar": "money", "dolares": "money", "peso": "money",
    "pesos": "money", "usd": "money", "eur": "money",
}  # fmt: skip
_EACH = re.compile(r"^\s*\S*\s*(?:\w+\s+){0,2}?(?:(?:al|por|cada|/)\s*mes\b|mensual)")
_EACH_BEFORE = re.compile(r"\b(?:cada mes|mensual(?:es|mente|idad(?:es)?)?)\b(?:\s+\w+){0,2}\s*[$€£]?$")


@dataclass
class Quantity:
    """A number. ``near`` holds the stems around it with the distance in words; ``monthly`` where it is per month."""

    value: float
    unit: Unit
    near: dict[str, int] = field(default_factory=dict)
    monthly: bool = False

    @property
    def key(self) -> tuple[float, Unit]:
        """What makes it the same number when it is met again."""
        return self.value, self.unit

    def closeness(self, stems: frozenset[str]) -> dict[str, float]:
        """How near those of ``stems`` stand that are around it: 1 beside it, less farther off."""
        return {found: 1 / distance for found, distance in self.near.items() if found in stems}


def quantities(question: Question) -> list[Quantity]:
    """Every number of the instruction; the same one named twice is one."""
    found: dict[tuple[float, Unit, bool], Quantity] = {}
    for clause in question.clauses:
        for one in _of_clause(clause.instruction):
            known = found.setdefault((one.value, one.unit, one.monthly), one)
            for near, distance in one.near.items():
                known.near[near] = min(distance, known.near.get(near, distance))
    return list(found.values())


def _of_clause(text: str) -> Iterator[Quantity]:
    tokens = list(_TOKEN.finditer(text))
    for place, token in enumerate(tokens):
        if not _NUMBER.fullmatch(token[0]):
            continue
        before = [folded(one[0]) for one in tokens[:place]]
        after = [folded(one[0]) for one in tokens[place + 1 :]]
        scale = _SCALE.get(after[0], 1.0) if after else 1.0
        unit = _unit(before, after[1:] if scale != 1.0 else after)
        value = _value(token[0], unit == "percent") * scale
        yield Quantity(value, unit, _near(before, after), _per_month(text, token))


def _per_month(text: str, token: re.Match[str]) -> bool:
    after, before = folded(text[token.end() :]), folded(text[: token.start()])
    return bool(_EACH.search(after) or _EACH_BEFORE.search(before))


def _unit(before: list[str], after: list[str]) -> Unit:
    words = [*(word for word in after[:2] if word != "de")][:1]
    for word in (*words, *before[-1:]):
        if word in _UNITS and (word in words or word in "$€£"):
            return _UNITS[word]
    return "plain"


def _near(before: list[str], after: list[str]) -> dict[str, int]:
    near: dict[str, int] = {}
    for side in (before[::-1], after):
        said = [word for word in side if word not in "%$€£"]
        for distance, word in enumerate(said, 1):
            if found := stem(word):
                near[found] = min(distance, near.get(found, distance))
    return near


def _value(text: str, percent: bool) -> float:
    """A number as people write it: ``50,000``, ``50.000,00``, ``12.5``, ``3,1``."""
    plain = re.sub(r"[  ]", "", text)
    last = max(plain.rfind(","), plain.rfind("."))
    if last < 0:
        return float(plain)
    whole, part = plain[:last], plain[last + 1 :]
    grouped = len(part) == 3 and not percent and not whole.lstrip("-").startswith("0")
    if grouped:
        return float(re.sub(r"[.,]", "", plain))
    return float(f"{re.sub(r'[.,]', '', whole)}.{part}")
