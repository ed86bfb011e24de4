"""Public names of the packages are explained: every module, class, function and method that no ``_`` hides."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.lint.asserting import Finding
from tests.lint.sources import FUNCTION

PACKAGES = ("tzzr_mcp", "mocks/tzzr_mocks", "scenarios/tzzr_scenarios")
MEND = "has no docstring; say shapes, units, errors raised and the source of the rule"


def undocumented(path: Path, text: str) -> list[Finding]:
    """What lacks one in a module. A function within a function is nobody's to call and needs none."""
    tree = ast.parse(text, str(path))
    missing = [] if ast.get_docstring(tree) else [Finding(path, 1, path.stem, MEND)]
    return missing + [
        Finding(path, node.lineno, node.name, MEND) for node in _public(tree) if ast.get_docstring(node) is None
    ]


def _public(node: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for each in node.body:
        if isinstance(each, (ast.ClassDef, *FUNCTION)) and not each.name.startswith("_"):
            yield each
        if isinstance(each, ast.ClassDef):
            yield from _public(each)


def findings(root: Path) -> list[Finding]:
    """What lacks one in the three packages below ``root``, in the order of files and lines."""
    paths = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
    return [finding for path in paths for finding in undocumented(path, path.read_text("utf-8"))]
