"""The file that a session is recorded in."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tzzr_mcp.seams import SystemClock
from tzzr_scenarios.recording.tape import Tape

ENVIRON = {"TZZR_SEED": "7", "HST_TOKEN": "a-secret-token", "PATH": "/bin", "TZZR_HTTP_TOKEN": "another-secret"}


@contextmanager
def tape(folder: Path) -> Iterator[Tape]:
    made = Tape(folder / "new" / "s.jsonl", ["serve", "--key", "a-secret-key"], ENVIRON, SystemClock())
    with closing(made):
        yield made


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_head_tells_the_command_and_the_settings_without_secrets(tmp_path: Path) -> None:
    with tape(tmp_path) as made:
        head = rows(made.path)[0]
    assert head["recording"] == 1
    assert head["settings"] == {"TZZR_SEED": "7"}
    assert head["command"] == ["serve", "--key", "[redacted]"]
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600


def test_every_message_is_in_the_file_before_anything_is_closed(tmp_path: Path) -> None:
    with tape(tmp_path) as made:
        made.note("client", b'{"id": 1, "method": "ping"}\r')
        made.note("server", b"  \r")
        made.note("server", b"no JSON, a-secret-token, \xff")
        assert [(row["from"], row.get("message"), row.get("text")) for row in rows(made.path)[1:]] == [
            ("client", {"id": 1, "method": "ping"}, None),
            ("server", None, "no JSON, [redacted], \\xff"),
        ]
    assert made.messages == 2


def test_a_recording_is_never_written_over(tmp_path: Path) -> None:
    with tape(tmp_path), pytest.raises(FileExistsError), tape(tmp_path):
        pass


def test_a_full_disk_ends_the_recording_alone(tmp_path: Path) -> None:
    with tape(tmp_path) as made:
        made._file.close()
        made._file = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", encoding="utf-8")
        made.note("client", b"{}")
        assert "the recording ends here: " in made.trouble
        made.note("client", b"{}")
