"""``tzzr new plugin``: a plugin for another dataset, which installs, serves and passes its tests as it is."""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path

from tzzr_scenarios.cli import COULD_NOT_RUN, PASSED
from tzzr_scenarios.templates import filled

ABOUT = "a plugin for another dataset: an installable package with a tool over a CSV file, a resource and tests"
_EPILOG = """\
example:
  tzzr new plugin energia
  pip install -e ./energia && TZZR_PLUGINS=energia mcp-server-tzzr

docs/plugin.md goes on from there, with an energy balance.
"""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")


class NameRefused(ValueError):
    """A name that no plugin can have; the message tells what can."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("name", metavar="NAME", help="a lower-case letter, then lower-case letters, digits and _")
    parser.add_argument(
        "--into", type=Path, default=Path(), metavar="FOLDER", help="where to make NAME (default: here)"
    )


def main(options: argparse.Namespace) -> int:
    """Write the package; 0 written, 2 the name or the place will not do, and nothing was written."""
    name, folder = options.name, options.into / options.name
    try:
        check(name)
        _write(folder, filled("plugin", name))
    except (NameRefused, OSError) as error:
        print(f"tzzr new plugin: {error}", file=sys.stderr)
        return COULD_NOT_RUN
    print(_next(name, folder))
    return PASSED


def _next(name: str, folder: Path) -> str:
    place = folder if folder.is_absolute() else f"./{folder}"
    return f"""\
{folder} is a plugin, which works as it is, on invented figures:
  pip install -e '{place}[test]'
  pytest {folder}
  tzzr call --plugins {name} consultar_{name} --tables
Now put your data into it: {folder / "README.md"} says where."""


def check(name: str) -> None:
    """Whether a plugin may have this name.

    Raises:
        NameRefused: it is no name for a Python package, or an installed plugin has it.
    """
    if not _NAME.fullmatch(name):
        allowed = "a lower-case letter, then up to 29 lower-case letters, digits or _"
        raise NameRefused(f"{name[:60]!r} cannot name a plugin: {allowed}{_proposal(name)}")
    if name in {point.name for point in entry_points(group="tzzr_mcp.plugins")}:
        raise NameRefused(f"a plugin {name!r} is installed already; take another name")


def _proposal(name: str) -> str:
    """``; for example X``, where the name can be mended."""
    letters = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    mended = re.sub(r"[^a-z0-9]+", "_", letters).lstrip("_0123456789").rstrip("_")[:30]
    return f"; for example {mended}" if _NAME.fullmatch(mended) else ""


def _write(folder: Path, files: Mapping[str, str]) -> None:
    """Every file, in a folder that is not there yet or is empty.

    Raises:
        FileExistsError: something is there, which is left as it is.
    """
    if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
        raise FileExistsError(f"{folder} is there already, and nothing was written; take another name or --into")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
