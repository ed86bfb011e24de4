"""What the models refuse, in the words of the file: place, sentence, what is allowed, nearest name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel

from tzzr_mcp.seams.spelling import nearest
from tzzr_mocks.llm.script import Rule, When
from tzzr_scenarios.language.mistakes import Mistake
from tzzr_scenarios.language.models import (
    LOOKS,
    VERBS,
    After,
    Expect,
    Given,
    LaidFile,
    Scenario,
    Seen,
    SourceExpect,
    verb_of,
)
from tzzr_scenarios.language.places import Document, Path
from tzzr_scenarios.language.values import Part
from tzzr_scenarios.spelling import suggestion

_KIND = re.compile(r"str|dict\[.*\]")
"""What pydantic puts behind the place of a value that may be text or a mapping."""
_LISTS_OF_STEPS = ("steps", "parallel")
_NAMED: dict[str, tuple[type[Part], str]] = {
    "given": (Given, "given"),
    "expect": (Expect, "expect"),
    "source": (SourceExpect, "source"),
    "stop": (Expect, "stop"),
    "after": (After, "after"),
}


def mistakes(document: Document, errors: Sequence[Any]) -> list[Mistake]:
    """The mistakes that pydantic's error records stand for.

    A list that is too short only because its items are wrong is not told: its items are.
    """
    of_kinds = _of_kinds(errors)
    rest = [error for error in errors if error["loc"][:-1] not in of_kinds]
    inside = {error["loc"][:depth] for error in errors for depth in range(len(error["loc"]))}
    told = [mistake(document, error) for error in rest if error["type"] != "too_short" or error["loc"] not in inside]
    return [*told, *(_none_of(document, _without_tags(path), error) for path, error in of_kinds.items())]


def _of_kinds(errors: Sequence[Any]) -> dict[Path, Any]:
    """The places where a value may be of several kinds and is of none, of which pydantic tells each by itself."""
    return {error["loc"][:-1]: error for error in errors if error["loc"] and _KIND.fullmatch(str(error["loc"][-1]))}


def _none_of(document: Document, path: Path, error: Any) -> Mistake:
    named = next((part for part in reversed(path) if isinstance(part, str)), "")
    called = f'"{named}"' if path[-1] == named else f'what stands in "{named}"'
    return document.mistake(path, f"{called} must be text or a mapping", f"got {_short(error['input'])}")


def mistake(document: Document, error: Any) -> Mistake:
    """The mistake that one of pydantic's error records stands for."""
    path = _without_tags(error["loc"])
    tell = _TOLD.get(error["type"], _other)
    return tell(document, path, error)


def _without_tags(loc: Path) -> Path:
    """The path in the file: pydantic puts the verb of a step behind its number."""
    kept: list[str | int] = []
    dropped = False
    for part in loc:
        dropped = not dropped and part in VERBS and _is_step(tuple(kept))
        if not dropped:
            kept.append(part)
    return tuple(kept)


def _is_step(path: Path) -> bool:
    """Whether a step stands at ``path``: in a list of steps, or behind the key ``until``."""
    return path[-1:] == ("until",) or (len(path) > 1 and isinstance(path[-1], int) and path[-2] in _LISTS_OF_STEPS)


def _part(document: Document, path: Path) -> tuple[type[BaseModel], str]:
    """The model that stands at ``path``, and what to call it."""
    if not path:
        return Scenario, "a scenario"
    if path[-1] in _NAMED:
        return _NAMED[str(path[-1])]
    if _is_step(path):
        return VERBS.get(verb_of(_value(document, path)) or "", VERBS["call"]), "a step"
    if path[:2] == ("given", "model"):
        return (When, "a condition") if path[-1] == "when" else (Rule, "a rule of the model")
    if path[:2] == ("given", "files"):
        return LaidFile, "a file"
    return Seen, "an upstream expectation"


def _value(document: Document, path: Path) -> Any:
    value = document.value
    for part in path:
        value = value[part]
    return value


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _unknown_key(document: Document, path: Path, _: Any) -> Mistake:
    model, called = _part(document, path[:-1])
    known = _keys(model)
    close = nearest(str(path[-1]), known)
    mend = f'; did you mean "{close}"?' if close else ""
    message = f'"{path[-1]}" is not a key of {called}{mend}'
    return document.mistake(path, message, f"keys: {', '.join(known)}", key=True)


def _missing(document: Document, path: Path, _: Any) -> Mistake:
    _model, called = _part(document, path[:-1])
    return document.mistake(path[:-1], f'{called} needs "{path[-1]}"', f"add: {path[-1]}: …")


def _no_verb(document: Document, path: Path, _: Any) -> Mistake:
    value = _value(document, path)
    verbs = list(LOOKS if path[-1] == "until" else VERBS)
    allowed = f"verbs: {', '.join(verbs)}"
    if not isinstance(value, dict):
        return document.mistake(path, "a step is a mapping that begins with a verb", allowed)
    if (verb := verb_of(value)) is not None:
        return document.mistake((*path, verb), f'"{verb}" cannot be tried again', allowed, key=True)
    for key in value:
        if close := nearest(key, verbs):
            hint = f"did you mean {close}?  {allowed}"
            return document.mistake((*path, key), f'"{key}" is not the verb of a step', hint, key=True)
    return document.mistake(path, "this step has no verb", allowed)


def _not_one_of(document: Document, path: Path, error: Any) -> Mistake:
    allowed = [word.strip(" '") for word in error["ctx"]["expected"].replace(" or ", ", ").split(",")]
    key = "[key]" in path
    clean = tuple(part for part in path if part != "[key]")
    hint = suggestion(str(error["input"]), allowed, "allowed")
    return document.mistake(clean, f'"{error["input"]}" is not allowed here', hint, key=key)


def _too_short(document: Document, path: Path, error: Any) -> Mistake:
    least = error["ctx"].get("min_length")
    what = "character" if isinstance(error["input"], str) else "item"
    return document.mistake(
        path, f'"{path[-1]}" needs at least {least} {what}{"" if least == 1 else "s"}', f"got {_short(error['input'])}"
    )


def _own_sentence(document: Document, path: Path, error: Any) -> Mistake:
    return document.mistake(path, str(error["ctx"]["error"]), f"got {_short(error['input'])}")


def _other(document: Document, path: Path, error: Any) -> Mistake:
    sentence = error["msg"].removeprefix("Input ").replace("should", "must")
    for pydantics, ours in (
        ("a valid ", "a "),
        ("a array", "a list"),
        ("a dictionary", "a mapping"),
        ("a string", "text"),
        ("a integer", "a whole number"),
    ):
        sentence = sentence.replace(pydantics, ours)
    subject = f'"{path[-1]}" ' if path and isinstance(path[-1], str) else "this "
    return document.mistake(path, f"{subject}{sentence[0].lower()}{sentence[1:]}", f"got {_short(error['input'])}")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:80]}…"


_TOLD: dict[str, Callable[[Document, Path, Any], Mistake]] = {
    "extra_forbidden": _unknown_key,
    "missing": _missing,
    "union_tag_not_found": _no_verb,
    "union_tag_invalid": _no_verb,
    "literal_error": _not_one_of,
    "value_error": _own_sentence,
    "too_short": _too_short,
    "string_too_short": _too_short,
}
