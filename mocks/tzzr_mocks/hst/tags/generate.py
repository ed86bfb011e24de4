"""Write the three tag files from the curated outlines: `python -m tzzr_mocks.hst.tags.generate [--check]`.

The outcome depends on the outlines alone. Ids and dates follow from the SHA-256 of each `ref`, as if the tags
had been entered over some months in no special order: so an answer that a client sorted by chance shows.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from tzzr_mocks.hst.tags import LIBRARIES
from tzzr_mocks.hst.tags.outline import Entry, OutlineError, parse

FOLDER: Final = Path(__file__).parent
COUNTS: Final = {"hst": 639, "spe": 145, "flg": 65}
"""How many tags each library has, by the seed §4."""

_OPENED: Final = datetime(2025, 3, 3, 8, 0, tzinfo=UTC)
_BETWEEN_TAGS: Final = timedelta(minutes=17)
_MINUTES_TO_LAST_EDIT: Final = 200 * 24 * 60


def generate() -> dict[str, str]:
    """Return the text of each library's file by library.

    Raises `OutlineError` when an outline cannot be read, a `ref` is there twice, or a count is not that of `COUNTS`.
    """
    entries = {library: _curated(library) for library in LIBRARIES}
    _refuse_repeated_refs([entry for library in entries.values() for entry in library])
    return {library: _jsonl(entries[library]) for library in LIBRARIES}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or with `--check` tell which differ; 0 all well, 1 a file differs, 2 an outline is wrong."""
    parser = argparse.ArgumentParser(description="Write the tag files from the curated outlines.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is not up to date")
    check = parser.parse_args(arguments).check
    try:
        texts = generate()
    except OutlineError as error:
        print(error, file=sys.stderr)
        return 2
    return _compare(texts) if check else _write(texts)


def _write(texts: dict[str, str]) -> int:
    for library, text in texts.items():
        _file(library).write_text(text, encoding="utf-8", newline="\n")
    return 0


def _compare(texts: dict[str, str]) -> int:
    stale = [library for library, text in texts.items() if not _is_current(_file(library), text)]
    for library in stale:
        print(f"tags_{library}.jsonl is out of date: run python -m tzzr_mocks.hst.tags.generate", file=sys.stderr)
    return 1 if stale else 0


def _is_current(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")


def _file(library: str) -> Path:
    return FOLDER / f"tags_{library}.jsonl"


def _curated(library: str) -> list[Entry]:
    outlines = sorted((FOLDER / "curated" / library).glob("*.txt"))
    entries = [entry for path in outlines for entry in _outline(path, grouped=library == "flg")]
    if len(entries) != COUNTS[library]:
        raise OutlineError(f"curated/{library} holds {len(entries)} tags; it must hold {COUNTS[library]}")
    return entries


def _outline(path: Path, *, grouped: bool) -> list[Entry]:
    return parse(path.read_text(encoding="utf-8"), f"curated/{path.parent.name}/{path.name}", grouped=grouped)


def _refuse_repeated_refs(entries: list[Entry]) -> None:
    """Refs differ in more than upper and lower case, so that no database may take two for one."""
    repeated = [ref for ref, count in Counter(entry.ref.lower() for entry in entries).items() if count > 1]
    if repeated:
        raise OutlineError(f"these refs are there more than once: {', '.join(sorted(repeated))}")


def _jsonl(entries: list[Entry]) -> str:
    orden = {entry.ref: position for position, entry in enumerate(entries, start=1)}
    shuffled = sorted(entries, key=lambda entry: _digest(entry.ref))
    rows = (_row(entry, number, orden[entry.ref]) for number, entry in enumerate(shuffled, start=1))
    return "".join(f"{json.dumps(row, ensure_ascii=False, separators=(',', ':'))}\n" for row in rows)


def _row(entry: Entry, number: int, orden: int) -> dict[str, Any]:
    created = _OPENED + number * _BETWEEN_TAGS
    updated = created + timedelta(minutes=int(_digest(entry.ref)[:8], 16) % _MINUTES_TO_LAST_EDIT)
    return {
        "id": number,
        "ref": entry.ref,
        "nombre": entry.nombre,
        "nombre_en": entry.nombre_en,
        "descripcion": entry.descripcion,
        "grupo": entry.grupo,
        "padre": entry.padre,
        "nivel": entry.nivel,
        "orden": orden,
        "activo": entry.activo,
        "metadatos": entry.metadatos,
        "date_created": _iso(created),
        "date_updated": _iso(updated),
    }


def _digest(ref: str) -> str:
    return hashlib.sha256(ref.encode("utf-8")).hexdigest()


def _iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.000Z"


if __name__ == "__main__":
    sys.exit(main())
