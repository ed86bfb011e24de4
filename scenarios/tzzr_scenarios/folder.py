"""The folder of a scenario's own: the files of ``given.files``, laid out for one performance and gone after it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tzzr_scenarios.files import document
from tzzr_scenarios.language.models import LaidFile


@contextmanager
def laid_out(files: Mapping[str, LaidFile], beside: Path) -> Iterator[Path | None]:
    """The folder with these files; None when there are none. ``beside`` is where copies of documents are looked for.

    Raises:
        DocumentMissing: a document to copy is not there.
    """
    if not files:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="tzzr-") as made:
        folder = Path(made)
        for name, file in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            _lay(file, place, beside)
        yield folder


def _lay(file: LaidFile, place: Path, beside: Path) -> None:
    if file.copy_of is not None:
        shutil.copyfile(document(file.copy_of, beside), place)
    elif file.text is not None:
        place.write_bytes(file.text.encode("utf-8"))
    elif file.link is not None:
        place.symlink_to(file.link)
    elif file.size is not None:
        place.touch()
        os.truncate(place, file.size)
    else:
        os.mkfifo(place)
