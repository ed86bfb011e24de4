"""The code blocks of a page, and how a console block is run."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tzzr_mcp.cli import main as server_main
from tzzr_scenarios.cli import main as tzzr_main

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BY_HAND = ("python3 -m venv", ".venv-nox/bin/nox", "pip install", "echo ")
"""Commands that CI itself runs, or that show what came before."""


@dataclass(frozen=True)
class Command:
    """A command of a console block, and what the page says that it prints."""

    words: tuple[str, ...]
    printed: str


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of one language."""
    return [body for name, body in _FENCE.findall(page.read_text(encoding="utf-8")) if name == language]


def commands(page: Path) -> Iterator[Command]:
    """The commands of a page that are run here."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, printed = part.partition("\n")
            if not line.startswith(_BY_HAND):
                yield Command(tuple(shlex.split(line)), printed)


def says(printed: str, shown: str) -> bool:
    """Whether a page shows what was printed; a line ``…`` of the page stands for any lines."""
    parts = [re.escape(line.strip()) for line in shown.strip().splitlines()]
    pattern = "\n".join(r"(?:.*\n)*?.*" if part == "…" else part for part in parts)
    lines = "\n".join(line.strip() for line in printed.strip().splitlines())
    return re.fullmatch(pattern, lines) is not None


def run(command: Command) -> tuple[int, str]:
    """Exit code, and everything printed on either stream."""
    mains = {"tzzr": tzzr_main, "mcp-server-tzzr": server_main}
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = mains[command.words[0]](list(command.words[1:]))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return code or 0, out.getvalue()
