"""Which names must be explained, on a module of a few lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.docstrings import PACKAGES, findings, undocumented

MODULE = '''"""A module."""

def told(): "Says it."
def untold(): pass
def _hidden(): pass

class Told:
    """Says it."""

    @property
    def untold_too(self): return 3
    async def waits(self):
        def inner(): pass
    def __str__(self): return "told"

class Untold: pass

class _Hidden:
    def reached(self): pass
'''


def test_public_names_need_one_and_hidden_and_inner_ones_do_not() -> None:
    found = [(finding.line, finding.name) for finding in undocumented(Path("a.py"), MODULE)]
    assert found == [(4, "untold"), (11, "untold_too"), (12, "waits"), (16, "Untold"), (19, "reached")]


@pytest.mark.parametrize("text", ["", "import os\n", "# only a comment\n"])
def test_a_module_needs_one(text: str) -> None:
    assert [str(finding).partition(";")[0] for finding in undocumented(Path("a.py"), text)] == [
        "a.py:1: a has no docstring"
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_looked_at_and_nothing_else(tmp_path: Path, package: str) -> None:
    for folder in (package, "tests"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "bare.py").write_text("def untold(): pass\n")
    assert {finding.path for finding in findings(tmp_path)} == {tmp_path / package / "bare.py"}
