"""The ``tzzr`` command: what a developer does with the server and its world."""

from __future__ import annotations

import argparse
import importlib
import io
import logging
import os
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from tzzr_mcp import __version__
from tzzr_scenarios.spelling import suggestion

PASSED, FAILED, COULD_NOT_RUN = 0, 1, 2
"""Exit codes of every command."""

INTERRUPTED = 130
"""The exit code after Ctrl+C, as a shell gives it."""

COMMANDS = {
    "run": "run scenario files against the real server and the fakes, offline",
    "sweep": "meet every tool with every fault that it can meet, and print the grid",
    "call": "call one tool and print its result as a person would read it",
    "chat": "ask in words, in a web page or here: model, gateway, server and data, offline",
    "mocks": "start the fakes on ports and print the environment to export",
    "conform": "hold a service to its contract, or to what was recorded of a real one, and name every difference",
    "quality": "measure how well a service reads invoices, tells languages and sorts texts",
    "new": "begin something of your own: a plugin, or a scenario from a recorded session",
    "host": "connect to any MCP server over SSE or Streamable HTTP, and call its tools",
    "install": "write the server into the configuration of Claude Desktop, Cursor, VS Code or Claude Code",
    "record": "stand between a client and the server on stdio, and write down what they say",
    "schema": "print the JSON Schema of scenario files, or where it is",
    "surface": "print all that others rely on, or what has changed of it since a release, and how heavily",
}
"""Every command, and what it does."""
_EPILOG = """\
begin with:
  tzzr run                                       every built-in scenario, in seconds
  tzzr call clasificar texto='Factura de la luz' one tool, offline
  tzzr call ocr archivo=@foto.png --fault 'grace: OCR_LOCAL is down'
  tzzr chat                                      a web page to ask in words, offline
  tzzr mocks                                     the fakes on ports, for your own client

exit codes: 0 passed, 1 failed, 2 could not run
"""


class Command(Protocol):
    """A module of `tzzr_scenarios.commands`."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""
        ...

    def main(self, options: argparse.Namespace) -> int:
        """Do it; the exit code."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    _write_any_text()
    try:
        return _perform(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        print("tzzr: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return PASSED


def _perform(words: list[str]) -> int:
    reader = parser(words[:1])
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        reader.error(f"there is no command {words[0]!r}; {suggestion(words[0], list(COMMANDS), 'commands')}")
    options, unread = reader.parse_known_args(words)
    if unread:
        reader.error(_unread(options.command, words, unread))
    logging.getLogger("tzzr_mcp").addHandler(logging.NullHandler())  # what the server logs stands in the trace
    return _command(options.command).main(options)


def _unread(name: str, words: Sequence[str], left: Sequence[str]) -> str:
    """What to do about words that nobody reads; a command may know better."""
    told: Callable[[Sequence[str], Sequence[str]], str] | None = getattr(_command(name), "unread", None)
    return told(words, left) if told else f"unrecognized arguments: {' '.join(left)}"


def parser(loaded: Collection[str]) -> argparse.ArgumentParser:
    """What reads the command line; only the commands that are ``loaded`` know their own arguments."""
    parser = argparse.ArgumentParser(
        prog="tzzr", description=__doc__, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"tzzr {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for name, what in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=what,
            description=f"{what[0].upper()}{what[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name in loaded:
            _command(name).arguments(command)
    return parser


def _write_any_text() -> None:
    """What a terminal's encoding lacks is written as a question mark, not as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="replace")


def _forget_output() -> None:
    """Nobody reads on (``tzzr … | head``): the interpreter must not flush what is left into the closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _command(name: str) -> Command:
    """A command's module, loaded when it is the one asked for: the others' imports would slow its start."""
    try:
        module: Command = importlib.import_module(f"tzzr_scenarios.commands.{name}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("tzzr_"):
            raise
        mend = "pip install 'mcp-server-tzzr[harness]'"
        print(f"tzzr {name} needs {error.name}, which the extra harness brings: {mend}", file=sys.stderr)
        raise SystemExit(COULD_NOT_RUN) from error
    return module


if __name__ == "__main__":
    sys.exit(main())
