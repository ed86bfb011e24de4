"""YAML read as YAML 1.2 means it, with the place of every key and value kept.

``no``, ``sí``, ``on``, ``2026-01-04``, ``012`` and ``1:30`` stay text; only ``true``/``false``, ``null`` and plain
numbers are more than text. A key that is given twice is a mistake. The parser is libyaml's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import yaml

from tzzr_scenarios.language.mistakes import Mistake

Path = tuple[str | int, ...]

_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BASE):  # type: ignore[misc]  # chosen at run time: libyaml's where it is there
    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}


_RESOLVERS = {
    "tag:yaml.org,2002:bool": (r"true|false", "tf"),
    "tag:yaml.org,2002:null": (r"null|~|", "n~"),
    "tag:yaml.org,2002:int": (r"-?(?:0|[1-9][0-9]*)", "-0123456789"),
    "tag:yaml.org,2002:float": (r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", "-0123456789"),
}
for _tag, (_pattern, _first) in _RESOLVERS.items():
    _Loader.add_implicit_resolver(_tag, re.compile(f"^(?:{_pattern})$"), [*_first, *([""] if "null" in _tag else [])])


class _Dumper(yaml.SafeDumper):
    """Quotes what another reader of YAML, or this one, would take for more than text."""

    def ignore_aliases(self, data: Any) -> bool:
        """No anchors: every value is written where it stands."""
        return True


def _text(dumper: _Dumper, value: str) -> yaml.Node:
    # YAML 1.1 breaks lines at these too, and folds them away between other quotes.
    style = '"' if _BREAKS & set(value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_BREAKS = frozenset("\x85\u2028\u2029")
_Dumper.add_representer(str, _text)

for _tag, (_pattern, _first) in _RESOLVERS.items():
    _Dumper.add_implicit_resolver(_tag, re.compile(f"^(?:{_pattern})$"), [*_first])


class _Hand(_Dumper):
    """Writes as people do: a list's dashes stand below their key, set in."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        """Never without indentation."""
        return super().increase_indent(flow, False)


def written(value: Any, *, flow: bool = False) -> str:
    """A plain value as YAML that `read` reads as the same value; with ``flow``, what holds scalars alone on one line."""
    dumper, style = (_Hand, None) if flow else (_Dumper, False)
    text: str = yaml.dump(
        value, Dumper=dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=style
    )
    return text


@dataclass(frozen=True)
class Place:
    """A position in a file, counted from 1."""

    line: int
    column: int


@dataclass
class Document:
    """One file: its plain values, and where each of them stands.

    ``keys`` gives the place of a mapping's key, ``values`` the place of what stands behind it.
    """

    name: str
    text: str
    value: Any = None
    keys: dict[Path, Place] = field(default_factory=dict)
    values: dict[Path, Place] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def place(self, path: Path, *, key: bool = False) -> Place:
        """Where ``path`` stands, or the nearest thing around it."""
        sought = self.keys if key else self.values
        while path not in sought:
            if not path:
                return Place(1, 1)
            path, sought = path[:-1], self.values
        return sought[path]

    def under(self, key: str) -> Document:
        """The document as if it were what stands behind ``key`` of another one."""
        keys = {(key, *path): place for path, place in self.keys.items()}
        values = {(key, *path): place for path, place in self.values.items()} | {(): self.place(())}
        return Document(self.name, self.text, {key: self.value}, keys, values, self.mistakes)

    def mistake(self, path: Path, message: str, hint: str = "", *, key: bool = False) -> Mistake:
        """A mistake at ``path`` with the line it stands on."""
        place = self.place(path, key=key)
        lines = self.text.splitlines()
        shown = lines[place.line - 1] if place.line <= len(lines) else ""
        return Mistake(self.name, place.line, place.column, message, shown, hint)


def read(name: str, text: str) -> Document:
    """Parse one file. Mistakes of the YAML itself are in ``mistakes``; then ``value`` may be None."""
    document = Document(name, text)
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        document.mistakes.append(_syntax(document, error))
        return document
    if node is not None:
        document.value = _Reader(document, _Loader("")).build(node, ())
    return document


def _syntax(document: Document, error: yaml.YAMLError) -> Mistake:
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or error).splitlines()[0]
    if mark is not None:
        document.values[()] = Place(mark.line + 1, mark.column + 1)
    hint = "check the indentation and quotes of this line; text that holds ': ' or starts with a bracket needs quotes"
    return document.mistake((), f"not YAML: {problem}", hint)


@dataclass
class _Reader:
    document: Document
    loader: Any

    def build(self, node: Any, path: Path) -> Any:
        """The value of a YAML node; its place, and those of all below it, go into the document."""
        self.document.values[path] = _start(node)
        if isinstance(node, yaml.MappingNode):
            return dict(self._items(node, path))
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*path, number)) for number, item in enumerate(node.value)]
        return self._scalar(node)

    def _items(self, node: yaml.MappingNode, path: Path) -> Iterator[tuple[str, Any]]:
        seen: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            place = (*path, key)
            if key in seen:
                self.document.keys[place] = _start(key_node)
                hint = f"the first one is in line {seen[key]}; keep one of them"
                self.document.mistakes.append(self.document.mistake(place, f'"{key}" is given twice', hint, key=True))
                continue
            seen[key] = key_node.start_mark.line + 1
            self.document.keys[place] = _start(key_node)
            yield key, self.build(value_node, place)

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        mean = _MEANT.get(node.tag.rpartition(":")[2])
        return mean(node.value) if mean else node.value


_MEANT: dict[str, Callable[[str], Any]] = {
    "null": lambda _: None,
    "bool": lambda word: word == "true",
    "int": int,
    "float": float,
}


def plain_word(text: str) -> Any:
    """What a plain word of YAML means: a number, a boolean, null, or the text itself."""
    for tag, (pattern, _) in _RESOLVERS.items():
        if re.fullmatch(pattern, text):
            return _MEANT[tag.rpartition(":")[2]](text)
    return text


def _start(node: Any) -> Place:
    return Place(node.start_mark.line + 1, node.start_mark.column + 1)
