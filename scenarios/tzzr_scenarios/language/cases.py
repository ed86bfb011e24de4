"""The rows of a scenario: a table in its file or beside it, and how a row's values get into the text.

``${column}`` alone is the cell with its type, within other text it is text. A name that is no column is left as it
stands: a value that a step saves may have it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tzzr_mcp.seams.spelling import nearest
from tzzr_scenarios.language.mistakes import Mistake
from tzzr_scenarios.language.places import Document, plain_word

_NAMED = re.compile(r"\$\{(\w+)\}")
_FORMS = "cases: [{id: luz, total: 12}], cases: {csv: FILE} or cases: {json: FILE}"


@dataclass(frozen=True)
class Row:
    """One case: its id, which is empty where a file has no cases, and the value of each column."""

    id: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)

    def into(self, value: Any) -> Any:
        """The value with this row's cells put into every text."""
        if isinstance(value, dict):
            return {key: self.into(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.into(item) for item in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> Any:
        alone = _NAMED.fullmatch(text)
        if alone and alone[1] in self.values:
            return self.values[alone[1]]
        return _NAMED.sub(lambda found: str(self.values.get(found[1], found[0])), text)


@dataclass
class Table:
    """The rows of one scenario file, and what is wrong with them. ``shared`` is what the file includes."""

    document: Document
    shared: Any = None
    rows: list[Row] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, message: str, hint: str, *path: str | int) -> None:
        """Note a mistake at the table, or inside it."""
        self.mistakes.append(self.document.mistake(("cases", *path), message, hint))


def table(document: Document, beside: Path, shared: Document | None) -> Table:
    """The rows that a file says: just one without values where it has no ``cases``."""
    made = Table(document, shared.value if shared else None)
    if "cases" not in document.value:
        made.rows.append(Row())
        return made
    found = list(_cells(made, document.value["cases"], beside))
    if not found and not made.mistakes:
        made.wrong("cases has no rows", f"such as {_FORMS}")
    if found and not made.mistakes:
        _check(made, found)
    made.rows += [Row(str(cells.get("id", number)), cells) for number, cells in enumerate(found, 1)]
    return made


def _cells(made: Table, said: Any, beside: Path) -> Iterator[dict[str, Any]]:
    if isinstance(said, list) and all(isinstance(each, dict) for each in said):
        yield from said
    elif isinstance(said, dict) and len(said) == 1 and said.keys() <= _READERS.keys():
        ((kind, name),) = said.items()
        yield from _beside(made, kind, str(name), beside)
    else:
        made.wrong("cases is a list of rows, or names one file", f"such as {_FORMS}")


def _beside(made: Table, kind: str, name: str, beside: Path) -> Iterator[dict[str, Any]]:
    try:
        text = (beside / name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        close = nearest(name, sorted(path.name for path in beside.glob(f"*.{kind}")))
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        made.wrong(f'"{name}" cannot be read: {reason}', f"did you mean {close}?" if close else "check the path", kind)
        return
    yield from _READERS[kind](made, name, text)


def _from_csv(made: Table, name: str, text: str) -> Iterator[dict[str, Any]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        lines = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        made.wrong(f'"{name}" is not CSV: line {reader.line_num}: {error}', "check the quotes of that line", "csv")
        return
    columns = lines[0][1] if lines else []
    for number, cells in lines[1:]:
        if len(cells) != len(columns):
            hint = f"columns: {', '.join(columns)}"
            made.wrong(f'line {number} of "{name}" has {len(cells)} cells, not {len(columns)}', hint, "csv")
        else:
            yield dict(zip(columns, map(plain_word, cells), strict=True))


def _from_json(made: Table, name: str, text: str) -> Iterator[dict[str, Any]]:
    try:
        rows = json.loads(text)
    except ValueError as error:
        made.wrong(f'"{name}" is not JSON: {error}', "check that place", "json")
        return
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        yield from rows
    else:
        made.wrong(f'"{name}" is not a list of objects', 'such as [{"id": "luz", "total": 12}]', "json")


_READERS = {"csv": _from_csv, "json": _from_json}


def _check(made: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Every row has the columns of the first, each id is there once, each column is used."""
    columns = list(rows[0])
    for number, row in enumerate(rows):
        if off := [*(set(columns) - set(row)), *(set(row) - set(columns))]:
            made.wrong(
                f'row {number + 1} differs from the first in "{off[0]}"', f"columns: {', '.join(columns)}", number
            )
    ids = Counter(str(row.get("id", number)) for number, row in enumerate(rows))
    for name in (name for name, times in ids.items() if times > 1):
        made.wrong(f'two rows have the id "{name}"', "keep the id of one, and give the other its own")
    said = [value for key, value in made.document.value.items() if key != "cases"]
    text = set(_names([*said, made.shared]))
    for column in (each for each in columns if each not in text and each != "id"):
        close = nearest(column, sorted(text))
        hint = f"${{{close}}} is used: did you mean that?" if close else f"add ${{{column}}} where it belongs"
        made.wrong(f'the column "{column}" is used nowhere', hint)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _NAMED.findall(value)
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _names(each)
