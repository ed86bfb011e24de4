"""The files of a page that lie in a package."""

from __future__ import annotations

from importlib import resources
from typing import Final

STATIC: Final = "static"
"""The folder, in each package that has files of a page."""


def files_of(*packages: str) -> dict[str, bytes]:
    """Every file in the packages' folders ``static``, by its name. No two packages have one of the same name."""
    found: dict[str, bytes] = {}
    for package in packages:
        for entry in (resources.files(package) / STATIC).iterdir():
            if entry.name in found:
                message = f"two files are called {entry.name}: one of {package}, one of a package before it"
                raise ValueError(message)
            found[entry.name] = entry.read_bytes()
    return found


def texts_of(*packages: str) -> dict[str, str]:
    """The same as text; every file of a page is UTF-8."""
    return {name: content.decode() for name, content in files_of(*packages).items()}
