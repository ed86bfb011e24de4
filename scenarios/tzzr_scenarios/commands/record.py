"""``tzzr record``: a session between a client and the server, passed through and written down."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from tzzr_mcp.seams import SystemClock
from tzzr_scenarios.cli import COULD_NOT_RUN
from tzzr_scenarios.recording.proxy import pass_through
from tzzr_scenarios.recording.tape import Tape

FOLDER = "tzzr-sessions"
"""Where recordings go, in the user's home: a client started from a desktop has no folder of its own."""

_EPILOG = f"""\
examples:
  tzzr record -- mcp-server-tzzr --offline        in a client's configuration, in place of the server:
                                                  {{"command": "tzzr", "args": ["record", "--", "mcp-server-tzzr"]}}
  tzzr record --to luz.jsonl -- mcp-server-tzzr   into a file of your own
  tzzr new scenario luz.jsonl                     then: a scenario file that replays it

Every byte passes through as it is, in either protocol era. Each message is written as it comes, so that nothing is lost
when the client is killed; secrets are blotted out, long texts cut. Without --to the file is ~/{FOLDER}/TIME.jsonl.
Exit code: the server's own; 2 when it could not be started or the file could not be made.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("--to", type=Path, metavar="FILE", help=f"the recording (default ~/{FOLDER}/TIME.jsonl)")
    parser.add_argument("server", nargs="+", metavar="COMMAND", help="the server's command, after --")


def unread(words: Sequence[str], left: Sequence[str]) -> str:
    """What to do about options that are the server's own: they stand behind ``--``, with its command."""
    first = words[1] if len(words) > 1 else ""
    begins = 3 if first == "--to" else 2 if first.startswith("--to=") else 1
    own, command = words[1:begins], words[begins:]
    mend = shlex.join(["tzzr", "record", *own, "--", *command])
    return f"{left[0]} is no option of tzzr record; if it is the server's own, put -- before the command: {mend}"


def main(options: argparse.Namespace) -> int:
    """Start the server and record; its exit code."""
    path, command, clock = options.to or _place(), list(options.server), SystemClock()
    try:
        tape = Tape(path, command, os.environ, clock)
    except OSError as error:
        return _refused(f"{path}: {_reason(error)}; name a file that is not there yet: --to FILE")
    try:
        code = pass_through(command, os.environ, tape)
    except OSError as error:
        tape.close()
        path.unlink(missing_ok=True)
        return _refused(f"{command[0]}: {_reason(error)}; check the command after --, or give its whole path")
    tape.close()
    _tell(tape)
    return code


def _place() -> Path:
    return Path.home() / FOLDER / f"{SystemClock().now():%Y%m%d-%H%M%S}-{os.getpid()}.jsonl"


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _refused(message: str) -> int:
    print(f"tzzr record: {message}", file=sys.stderr)
    return COULD_NOT_RUN


def _tell(tape: Tape) -> None:
    """On stderr, which is nobody's protocol: what was written, and what can be done with it."""
    said = f"{tape.messages} message{'' if tape.messages == 1 else 's'} in {tape.path}"
    print(f"tzzr record: {said}; as a scenario: tzzr new scenario {tape.path}", file=sys.stderr)
    if tape.trouble:
        print(f"tzzr record: {tape.trouble}", file=sys.stderr)
