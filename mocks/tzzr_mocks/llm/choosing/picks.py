"""Values that a question names: words of an enumeration, switches, languages, paths, references, lists."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tzzr_mocks.llm.choosing.kinds import Argument
from tzzr_mocks.llm.choosing.languages import languages, way_of
from tzzr_mocks.llm.choosing.material import MARK, Question
from tzzr_mocks.llm.choosing.stems import stems, words
from tzzr_mocks.llm.words import folded

_ALIKE = 0.69
"""How alike words of two languages are that mean the same: conservador and conservative."""
_GLOSS = re.compile(r"(\w+) \(([^)]+)\)")
_FILE = re.compile(r"[^\s«»“”\"'`]+\.[A-Za-z0-9]{2,5}\b")
_URI = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s«»“”\"']+", re.IGNORECASE)
_REFERENCE = re.compile(r"\b(?:[A-Z]{2,3}|\w+(?:[._-]\w+)+|\w*\d\w*)\b")
_LIST = re.compile(r"(?:\bentre\b|:|\bcategor[ií]as?\b)\s*(?P<list>[^.?!]+)")


def choice(argument: Argument, question: Question) -> str | None:
    """The value of an enumeration that the instruction names, by itself, by a like word, or by what it stands for."""
    values: Sequence[Any] = [one for one in argument.schema["enum"] if isinstance(one, str)]
    said = [folded(word) for word in re.findall(r"[\w-]+", question.instruction)]
    for value in values:
        if folded(value) in said:
            return str(value)
    glosses = {
        value: gloss for value, gloss in _GLOSS.findall(str(argument.schema.get("description", ""))) if value in values
    }
    for value, gloss in glosses.items():
        if stems(gloss) and stems(gloss) <= stems(question.instruction):
            return str(value)
    return next((str(value) for value in values if any(_alike(folded(value), word) for word in said)), None)


def _alike(value: str, word: str) -> bool:
    if not value.isalpha() or min(len(value), len(word)) < 5 or value[0] != word[0]:
        return False
    return difflib.SequenceMatcher(None, value, word).ratio() >= _ALIKE


def flag(argument: Argument, question: Question) -> bool | None:
    """True when the instruction names the switch."""
    named = stems(argument.schema.get("title") or argument.name.replace("_", " "))
    return True if named and named <= stems(question.instruction) else None


def language(argument: Argument, question: Question) -> str | None:
    """The language that the instruction names for the argument."""
    way = way_of(argument.name)
    found = list(languages(question.instruction))
    exact = next((one.code for one in found if one.way == way), None)
    if exact is None and argument.required:
        return found[0].code if found else None
    return exact


def without_files(text: str) -> str:
    """``text`` without names of files and addresses."""
    return _FILE.sub(" ", _URI.sub(" ", text))


def path(question: Question) -> str | None:
    """The name of a file."""
    found = _FILE.search(question.whole) if len(question.whole) < 2000 else None
    return found[0] if found and not _URI.search(question.whole) else None


def uri(question: Question) -> str | None:
    """An address with its scheme."""
    found = _URI.search(question.whole)
    return found[0].rstrip(".,;:?!)") if found else None


def reference(question: Question) -> str | None:
    """A word that looks like a reference, what is quoted before all: capitals, digits, dots."""
    quoted = question.materials[0].strip() if question.materials else ""
    if _REFERENCE.fullmatch(quoted):
        return quoted
    found = _REFERENCE.findall(question.instruction.strip())
    return found[-1] if found else None


def listed(argument: Argument, question: Question) -> list[Any] | None:
    """The values of a list that the instruction names: those of its enumeration, numbers, or words with commas."""
    items: Mapping[str, Any] = argument.schema.get("items", {})
    if "enum" in items:
        said = stems(question.instruction)
        named = [value for value in items["enum"] if stems(value.replace("_", " ")) <= said]
        return named or None
    if items.get("type") == "integer":
        return None
    found = _LIST.search(question.instruction.replace(MARK, " "))
    parts = re.split(r",|\by\b|\bo\b|\be\b", found["list"]) if found else []
    values = [" ".join(words(part)) for part in parts]
    distinct = list(dict.fromkeys(value for value in values if value))
    return distinct if len(distinct) >= max(2, argument.schema.get("minItems", 0)) else None
