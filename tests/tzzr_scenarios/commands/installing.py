"""Installs a project into a folder of its own, as pip would: its wheel is built, and unpacked where Python looks."""

from __future__ import annotations

import contextlib
import importlib
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from hatchling.build import build_wheel


def install(project: Path, site: Path) -> Path:
    """Build the project and unpack it into ``site``; the same folder, for a process's ``PYTHONPATH``."""
    site.mkdir(exist_ok=True)
    with contextlib.chdir(project):
        wheel = build_wheel(str(site))
    with zipfile.ZipFile(site / wheel) as archive:
        archive.extractall(site)
    return site


@contextlib.contextmanager
def importable(site: Path) -> Iterator[None]:
    """What is installed in ``site`` can be imported; before and after, its names mean what they meant."""
    before = _forget(site)
    sys.path.insert(0, str(site))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        _forget(site)
        sys.modules.update(before)


def _forget(site: Path) -> dict[str, ModuleType]:
    """The loaded modules by the names that ``site`` has, taken out."""
    names = {path.name for path in site.iterdir()}
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in names}
