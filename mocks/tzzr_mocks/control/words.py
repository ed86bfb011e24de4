"""A sentence as words with their columns, read from left to right."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NoReturn

from tzzr_mocks.control.errors import PlanError

_PLURALS = {"are": "is", "have": "has"}


@dataclass(frozen=True)
class Word:
    """One word and the column (from 1) where it begins."""

    text: str
    column: int


class Words:
    """The words of ``text`` from character ``start`` on."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        self._words = [
            Word(found[0], found.start() + 1) for found in re.finditer(r"[^\s,]+", text) if found.start() >= start
        ]
        self.place = 0

    def peek(self, ahead: int = 0) -> str:
        """A coming word; empty after the last."""
        index = self.place + ahead
        return self._words[index].text if index < len(self._words) else ""

    def take(self) -> str:
        """The next word, which is then behind us.

        Raises:
            PlanError: there is none.
        """
        word = self.peek()
        if not word:
            self.refuse(PlanError("the sentence ends too early"))
        self.place += 1
        return word

    def accept(self, *expected: str) -> bool:
        """Whether the next words are these (a verb also in the plural); if so they are behind us."""
        if not all(same_word(self.peek(index), word) for index, word in enumerate(expected)):
            return False
        self.place += len(expected)
        return True

    def refuse(self, error: PlanError, back: int = 0) -> NoReturn:
        """Raise ``error`` with the place of the next word, or of one ``back`` from it.

        Raises:
            PlanError: always.
        """
        index = self.place - back
        end = Word("", len(self.text) + 1)
        word = self._words[index] if index < len(self._words) else end
        raise replace(error, text=self.text, column=word.column, length=max(1, len(word.text))) from None


def same_word(given: str, expected: str) -> bool:
    """Whether two words are one, in any case, a verb in the plural (``fail``, ``are``) included."""
    folded = given.casefold()
    return bool(folded) and expected.casefold() in (folded, f"{folded}s", _PLURALS.get(folded))
