"""Where the scenario files and their documents are, in a checkout and in an installed wheel."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tzzr_mcp.seams.spelling import nearest
from tzzr_scenarios.language.mistakes import FileMistakes, Mistake

SUFFIXES = (".yaml", ".yml")
REQUIREMENTS = "requirements.yaml"
_LISTS = {REQUIREMENTS, "expected-failures.yaml"}
_SAVED = re.compile(r"\$\{(\w+)\}")


def home() -> Path:
    """The folder of the built-in scenarios: beside the sources in a checkout, inside the package in a wheel."""
    here = Path(__file__).resolve().parent
    packed = here / "files"
    return packed if packed.is_dir() else here.parent


def find(targets: Iterable[str]) -> list[tuple[Path, str]]:
    """Scenario files, each with the name to show: those given, those below a folder given, or all built-in ones.

    Raises:
        FileMistakes: a target is not there, or holds no scenario.
    """
    wanted = list(targets)
    if not wanted:
        return [(path, str(path.relative_to(home()))) for path in below(home())]
    found: list[tuple[Path, str]] = []
    for target in wanted:
        found.extend((path, _name(path)) for path in _target(target))
    return found


def _name(path: Path) -> str:
    """How a file is shown: a built-in one by its theme, any other as it was given."""
    absolute = path.resolve()
    return str(absolute.relative_to(home())) if absolute.is_relative_to(home()) else str(path)


def _target(target: str) -> list[Path]:
    path = Path(target)
    if not path.exists():
        path = home() / target
    files = below(path) if path.is_dir() else [path] if path.is_file() else []
    if not files:
        raise FileMistakes([Mistake(target, 1, 1, "no scenario file is there", hint=_hint(target))])
    return files


def _hint(target: str) -> str:
    known = [str(path.relative_to(home())) for path in below(home())]
    close = nearest(target, known)
    return f"did you mean {close}?" if close else "without arguments, tzzr run takes every built-in scenario"


def below(folder: Path) -> list[Path]:
    """Every scenario file below a folder, in order; documents, lists about scenarios, folders and pipes are none."""
    files = (path for suffix in SUFFIXES for path in folder.rglob(f"*{suffix}") if path.is_file())
    named = (path for path in files if not path.name.startswith(("_", ".")) and path.name not in _LISTS)
    return sorted(path for path in named if "documents" not in path.parts)


class DocumentMissing(LookupError):
    """A scenario names a document that is not there; the message names the nearest one."""


def document(name: str, beside: Path) -> Path:
    """A document by its path: relative to the scenario's folder, or to the home of the scenarios.

    Raises:
        DocumentMissing: it is in neither.
    """
    for folder in (beside, home()):
        if (path := folder / name).is_file():
            return path
    known = sorted(str(path.relative_to(home())) for path in (home() / "documents").rglob("*") if path.is_file())
    close = nearest(name, known)
    raise DocumentMissing(f"document {name!r} is not there{f'; did you mean {close}?' if close else ''}")


def filled(value: Any, beside: Path, saved: Mapping[str, Any]) -> Any:
    """Arguments with their documents and saved values put in.

    ``{file: PATH}`` is a document's text, ``{base64: PATH}`` its bytes, ``${name}`` what an earlier step saved: of any
    type when it stands alone, as text within other text. What was put in is not looked at again.

    Raises:
        DocumentMissing: a document is not there.
        KeyError: nothing was saved under that name.
    """
    if isinstance(value, Mapping):
        if value.keys() == {"file"}:
            return document(value["file"], beside).read_bytes().decode("utf-8")
        if value.keys() == {"base64"}:
            return base64.b64encode(document(value["base64"], beside).read_bytes()).decode("ascii")
        return {key: filled(item, beside, saved) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [filled(item, beside, saved) for item in value]
    return _recalled(value, saved) if isinstance(value, str) else value


def _recalled(text: str, saved: Mapping[str, Any]) -> Any:
    if alone := _SAVED.fullmatch(text):
        return _named(alone[1], saved)
    return _SAVED.sub(lambda found: str(_named(found[1], saved)), text)


def _named(name: str, saved: Mapping[str, Any]) -> Any:
    if name not in saved:
        close = nearest(name, list(saved))
        hint = f"did you mean {close}?" if close else f"saved so far: {', '.join(saved) or 'nothing'}"
        raise KeyError(f"${{{name}}}: no earlier step saved that; {hint}")
    return saved[name]
