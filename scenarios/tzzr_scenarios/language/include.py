"""``given.include``: a starting world that several files share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tzzr_mcp.seams.spelling import nearest
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.language.models import Given
from tzzr_scenarios.language.places import Document, read
from tzzr_scenarios.language.values import Part

_AT = ("given", "include")


class SharedFile(Part):
    """An included file: what it holds stands behind ``given``."""

    given: Given


def included(document: Document, beside: Path) -> Document | None:
    """The file that a scenario includes, as a document that says ``given``; None where it includes none.

    Raises:
        FileMistakes: it cannot be read, is not YAML, or has no name of an included file.
    """
    name = _name(document.value)
    if name is None:
        return None
    if not Path(name).name.startswith("_"):
        hint = f"rename it: _{Path(name).name}"
        raise FileMistakes([document.mistake(_AT, "an included file would be taken for a scenario", hint)])
    try:
        text = (beside / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        close = nearest(name, sorted(path.name for path in beside.glob("_*.yaml")))
        hint = f"did you mean {close}?" if close else "check the path, from this file's folder"
        raise FileMistakes([document.mistake(_AT, f'"{name}" cannot be read: {reason}', hint)]) from error
    return _checked(read(str(Path(document.name).parent / name), text).under("given"))


def _name(value: Any) -> str | None:
    given = value.get("given")
    name = given.get("include") if isinstance(given, dict) else None
    return name if isinstance(name, str) else None


def _checked(shared: Document) -> Document:
    if not shared.mistakes and _name(shared.value) is not None:
        hint = "keep one: say here what it says"
        shared.mistakes.append(shared.mistake(_AT, "an included file includes no other", hint, key=True))
    if shared.mistakes:
        raise FileMistakes(shared.mistakes)
    return shared


def merged(shared: Given, own: Given) -> Given:
    """The world that both say: faults of both, and where both name something, what the scenario's own says."""
    said: dict[str, Any] = {name: getattr(shared, name) for name in shared.model_fields_set}
    for name in own.model_fields_set - {"include"}:
        value = getattr(own, name)
        if name == "faults":
            value = (*shared.faults, *value)
        elif isinstance(value, dict):
            value = {**getattr(shared, name), **value}
        said[name] = value
    return Given.model_construct(_fields_set=set(said), **{**Given().__dict__, **said})
