"""The surface of the last release, and the rules that a change since then must keep.

A change needs a fragment of its own weight or a heavier one in ``changelog.d``, and a fragment about what breaks names
it. The next version goes by the heaviest change: while the first number is 0 what breaks raises the second one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tzzr_scenarios.surface.changes import Change, Weight

PATH: Final = Path(__file__).parent / "released.json"
"""The frozen surface. Only a release writes it."""

SHOWN: Final = 200
"""Characters of an old or a new value in a report."""


class Unfit(ValueError):
    """A file is no surface, or a version no version that may come next; the message says what to do."""


@dataclass(frozen=True)
class Fragment:
    """One file of ``changelog.d``: ``+ocr.breaking.md``. Its weight is None for what mends without changing the surface."""

    name: str
    weight: Weight | None
    text: str


def read(path: Path) -> dict[str, Any]:
    """A surface from a file.

    Raises:
        Unfit: the file is not there, or holds something else.
    """
    try:
        surface = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unfit(f"{path} cannot be read as a surface ({error}); tzzr surface > FILE writes one") from error
    if not isinstance(surface, dict) or not {"version", "tools"} <= surface.keys():
        raise Unfit(f"{path} is no surface: it has no version and no tools; tzzr surface > FILE writes one")
    return surface


def text_of(surface: Mapping[str, Any]) -> str:
    """A surface as its file holds it."""
    return json.dumps(surface, ensure_ascii=False, indent=1) + "\n"


def freeze(surface: Mapping[str, Any], version: str, changes: Sequence[Change], path: Path = PATH) -> None:
    """Make this the surface of the release ``version``.

    Raises:
        Unfit: the changes since the release before demand a higher version, or one has a demand that is not met.
    """
    least = next_version(read(path)["version"], changes)
    if numbers(version) < numbers(least):
        why = f"the heaviest change is {heaviest(changes)}" if changes else "versions go up"
        raise Unfit(f"{version} is too low after {read(path)['version']}: {why}; give {least} or higher")
    for change in changes:
        if change.demand:
            raise Unfit(f"{change.where}: {change.told}; {change.demand}")
    path.write_text(text_of({**surface, "version": version}), encoding="utf-8")


def heaviest(changes: Iterable[Change]) -> Weight | None:
    """The weight of the heaviest change; None when there is none."""
    return max((change.weight for change in changes), default=None)


def next_version(released: str, changes: Iterable[Change]) -> str:
    """The lowest version that may come after ``released``."""
    major, minor, patch = numbers(released)
    weight = heaviest(changes)
    if weight is Weight.BREAKING:
        return f"{major + 1}.0.0" if major else f"0.{minor + 1}.0"
    if weight is Weight.ADDITIVE and major:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def numbers(version: str) -> tuple[int, int, int]:
    """``0.2.1`` as three numbers.

    Raises:
        Unfit: it is none.
    """
    parts = version.split(".")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        raise Unfit(f"{version!r} is no version; give three numbers, as in 0.2.0")
    major, minor, patch = map(int, parts)
    return major, minor, patch


def fragments(folder: Path) -> list[Fragment]:
    """Every fragment in a folder.

    Raises:
        Unfit: a file's name has no type that there is.
    """
    types: dict[str, Weight | None] = {**{str(weight): weight for weight in Weight}, "fixed": None}
    found = []
    for path in sorted(set(folder.glob("*.md")) - {folder / "README.md"}):
        parts = [part for part in path.name.split(".")[1:-1] if not part.isdecimal()]
        kind = parts[-1] if parts else ""
        if kind not in types:
            raise Unfit(f"{path}: {kind!r} is no type of change; name it +WHAT.TYPE.md, TYPE one of {', '.join(types)}")
        found.append(Fragment(path.name, types[kind], path.read_text(encoding="utf-8")))
    return found


def problems(changes: Sequence[Change], told: Sequence[Fragment], versions: tuple[str, str]) -> Iterator[str]:
    """What must be done before these changes may stand; ``versions`` are the released one and the present one."""
    released, present = versions
    for change in changes:
        if change.demand:
            yield f"{line(change)}\nnext: {change.demand}"
    for weight in sorted(Weight, reverse=True):
        untold = list(_untold([change for change in changes if change.weight is weight], weight, told))
        if untold:
            shown = "\n".join(map(line, untold))
            yield f"{shown}\nnext: {_command(untold)}"
    least = next_version(released, changes)
    if numbers(present) != numbers(released) and numbers(present) < numbers(least):
        yield f"version {present} is too low: after {released} such changes demand {least}\nnext: tzzr_mcp/__init__.py"


def _untold(changes: Sequence[Change], weight: Weight, told: Sequence[Fragment]) -> Iterator[Change]:
    heavy = [fragment.text for fragment in told if fragment.weight is not None and fragment.weight >= weight]
    for change in changes:
        named = weight is not Weight.BREAKING or any(change.thing in text for text in heavy)
        if not heavy or not named:
            yield change


def _command(changes: Sequence[Change]) -> str:
    """The line that writes the fragment."""
    things = list(dict.fromkeys(change.thing for change in changes))
    slug = "".join(letter if letter.isalnum() else "-" for letter in things[0]).strip("-").lower()
    names = ", ".join(f"`{thing}`" for thing in things[:8])
    return f"towncrier create --content '{names}: WHAT IS OTHERWISE, AND WHAT TO DO.' +{slug}.{changes[0].weight}.md"


def line(change: Change) -> str:
    """A change for a terminal: its weight, where, what, and the values before and after."""
    values = [f"  {what}: {_short(value)}" for what, value in (("old", change.old), ("new", change.new))]
    return "\n".join([f"{change.weight}: {change.where} {change.told}", *values])


def _short(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
