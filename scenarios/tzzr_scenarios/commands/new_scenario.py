"""``tzzr new scenario``: a scenario file from a session that ``tzzr record`` wrote down."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.language import schema
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.recording.documents import Documents
from tzzr_scenarios.recording.session import RecordingError, Session, read_session
from tzzr_scenarios.recording.settled import Settled, settle
from tzzr_scenarios.recording.told import documents_for, scenario
from tzzr_scenarios.reports.terminal import failure

ABOUT = "a scenario file from a recorded session (tzzr record)"
_SUFFIX = ".scenario.yaml"
_EPILOG = """\
examples:
  tzzr record --to luz.jsonl -- mcp-server-tzzr --offline     (a client in between)
  tzzr new scenario luz.jsonl                                  writes luz.scenario.yaml and luz.files/
  tzzr run luz.scenario.yaml

Each request becomes a step that expects what was stable in its answer. The scenario is then played on the fakes, and
expectations that do not come true there are left out and told. Read it before you trust it, and say in its title what
must hold. Exit code: 0 it passes, 1 it is written but does not pass, 2 nothing was written.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="the file that tzzr record wrote")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help=f"default: RECORDING's name{_SUFFIX}, here")
    parser.add_argument("--title", default="", help="the sentence that says what must hold")


def main(options: argparse.Namespace) -> int:
    """Write the scenario; 0 it passes, 1 it does not, 2 there is none."""
    path = options.output or Path(f"{options.recording.stem}{_SUFFIX}")
    folder = f"{path.name.removesuffix(_SUFFIX).removesuffix('.yaml')}.files"
    try:
        _free(path, path.parent / folder)
        session = read_session(options.recording)
        documents = documents_for(session, folder)
        told = scenario(session, documents, options.title)
        path.parent.mkdir(parents=True, exist_ok=True)
        documents.write(path.parent)
        settled = settle(path, told, _head(session, path))
    except (RecordingError, FileMistakes, OSError) as error:
        print(f"tzzr new scenario: {error}", file=sys.stderr)
        return COULD_NOT_RUN
    return _ended(path, session, documents, settled)


def _free(path: Path, folder: Path) -> None:
    for each in (path, folder):
        if each.exists():
            raise RecordingError(f"{each} is there already; name another file: -o FILE{_SUFFIX}")


def _head(session: Session, path: Path) -> str:
    relative = os.path.relpath(schema.PATH, path.resolve().parent)
    day, command = session.head.begun[:10], " ".join(session.head.command)
    return f"# yaml-language-server: $schema={relative}\n# Recorded {day}: {command}\n"


def _ended(path: Path, session: Session, documents: Documents, settled: Settled) -> int:
    for line in _remarks(session, documents, settled):
        print(f"  {line}", file=sys.stderr)
    if settled.failed:
        print(f"{path} is written, but does not pass:\n{failure(settled.failed[0]).plain}")
        return FAILED
    print(f"{path} is written and passes: tzzr run {path}")
    return PASSED


def _remarks(session: Session, documents: Documents, settled: Settled) -> Iterator[str]:
    for method, times in session.left_out.items():
        yield f"left out: {method}{f' ×{times}' if times > 1 else ''}"
    for told in settled.left_out:
        yield f"not expected: {told}"
    yield from documents.troubles
