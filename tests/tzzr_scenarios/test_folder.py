"""The files of ``given.files``: laid out for one performance, open to ``archivo``, and gone after it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tzzr_scenarios.files import DocumentMissing, home
from tzzr_scenarios.folder import laid_out
from tzzr_scenarios.language.load import load
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.language.models import LaidFile

HERE = Path(__file__).parent


def file(**key: object) -> LaidFile:
    return LaidFile.model_validate(key)


def test_each_kind_of_file_is_laid_and_all_are_gone_in_the_end() -> None:
    document = "documents/facturas/factura-simple.png"
    files = {
        "a/b.png": file(copy=document),
        "t.txt": file(text="año\r\n"),
        "big": file(size=9_000_000),
        "out": file(link="/etc/hostname"),
        "pipe": file(pipe=True),
    }
    with laid_out(files, HERE) as folder:
        assert folder is not None
        assert (folder / "a/b.png").read_bytes() == (home() / document).read_bytes()
        assert (folder / "t.txt").read_bytes() == "año\r\n".encode()
        assert (folder / "big").stat().st_size == 9_000_000
        assert (folder / "out").readlink() == Path("/etc/hostname")
        assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)
    assert not folder.exists()


def test_without_files_there_is_no_folder() -> None:
    with laid_out({}, HERE) as folder:
        assert folder is None


def test_a_copy_of_nothing_is_told_with_the_nearest_document() -> None:
    with (
        pytest.raises(DocumentMissing, match=r"factura-simple\.png"),
        laid_out({"a": file(copy="documents/facturas/factura-simpel.png")}, HERE),
    ):
        pass


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("{ a.txt: { text: x, size: 3 } }", "a file is laid by one of copy, text, size, link, pipe"),
        ("{ a.txt: {} }", "a file is laid by one of copy, text, size, link, pipe"),
        ("{ ../a.txt: { text: x } }", "a file's name is a relative path without .., not '../a.txt'"),
        ("{ /etc/a: { text: x } }", "a file's name is a relative path"),
        ("{ a.txt: { txt: x } }", '"txt" is not a key of a file; did you mean "text"?'),
    ],
)
def test_a_file_that_cannot_be_laid_is_a_mistake_of_the_scenario(tmp_path: Path, given: str, told: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"scenario: A file is laid\ngiven: {{ files: {given} }}\nsteps: [{{ list: tools }}]\n")
    with pytest.raises(FileMistakes) as caught:
        load(path)
    assert told in str(caught.value)
