"""Between client and server: every byte as it was, the exit code as it was, the signals handed on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tzzr_mcp.seams import SystemClock
from tzzr_scenarios.cli import COULD_NOT_RUN, main
from tzzr_scenarios.recording.proxy import pass_through
from tzzr_scenarios.recording.tape import Tape

ECHO = "import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer); sys.exit(3)"
STUBBORN = "import sys, time; print('{}', flush=True); sys.stdin.read()"
ODD = b'{"id": 1}\r\n\n\xff\x00 no JSON\n' + b"x" * 200_000 + b"\nbegun but not en"


class Between:
    """A proxy in a thread of the test, with a pipe on either side."""

    def __init__(self, path: Path, program: str) -> None:
        self.tape = Tape(path, ["x"], {}, SystemClock())
        self.path = path
        self.code: int | None = None
        self._program = program
        self.mine, self.theirs = os.pipe(), os.pipe()

    def run(self, sent: bytes) -> bytes:
        """Send, end, and return what came back."""
        came = bytearray()
        sender = threading.Thread(target=self._send, args=(sent,))
        reader = threading.Thread(target=self._receive, args=(came,))
        sender.start()
        reader.start()
        command = [sys.executable, "-c", self._program]
        with closing(self.tape):
            self.code = pass_through(command, dict(os.environ), self.tape, self.mine[0], self.theirs[1])
            os.close(self.theirs[1])
            sender.join()
        os.close(self.mine[0])
        reader.join()
        return bytes(came)

    def _send(self, sent: bytes) -> None:
        with os.fdopen(self.mine[1], "wb") as pipe:
            pipe.write(sent)

    def _receive(self, came: bytearray) -> None:
        with os.fdopen(self.theirs[0], "rb") as pipe:
            came += pipe.read()


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_every_byte_comes_through_and_every_line_is_told(tmp_path: Path) -> None:
    between = Between(tmp_path / "s.jsonl", ECHO)
    assert between.run(ODD) == ODD
    assert between.code == 3
    for sender in ("client", "server"):
        told = [row.get("message", row.get("text", "")) for row in rows(between.path) if row["from"] == sender]
        assert told[0] == {"id": 1}
        assert told[1] == "\\xff\x00 no JSON"
        assert [told[2][:3], told[3]] == ["xxx", "begun but not en"]


def test_a_client_that_no_longer_reads_ends_the_server(tmp_path: Path) -> None:
    between = Between(tmp_path / "s.jsonl", "import sys\nwhile True: print('{}', flush=True)")
    os.close(between.theirs[0])
    command = [sys.executable, "-c", between._program]
    with closing(between.tape):
        code = pass_through(command, dict(os.environ), between.tape, between.mine[0], between.theirs[1])
    assert code in (1, 120, 128 + signal.SIGTERM, 128 + signal.SIGPIPE)
    for end in (*between.mine, between.theirs[1]):
        os.close(end)


def test_a_command_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with closing(Tape(tmp_path / "s.jsonl", ["x"], {}, SystemClock())) as tape, pytest.raises(FileNotFoundError):
        pass_through(["/no/such/server"], {}, tape)


RECORD = [sys.executable, "-m", "tzzr_scenarios.cli", "record", "--to"]


def started(path: Path, program: str) -> subprocess.Popen[bytes]:
    """``tzzr record`` around a server that has said its first line."""
    pipe = subprocess.PIPE
    recorder = subprocess.Popen(
        [*RECORD, str(path), "--", sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=pipe
    )
    assert recorder.stdout is not None
    assert recorder.stdout.readline() == b"{}\n"
    return recorder


def test_sigterm_goes_on_to_the_server_and_the_recording_is_whole(tmp_path: Path) -> None:
    with started(tmp_path / "s.jsonl", STUBBORN) as recorder:
        recorder.terminate()
        code = recorder.wait(timeout=60)  # before its input is closed, which would end the server too
        _, told = recorder.communicate()
    assert code == 128 + signal.SIGTERM
    assert b"1 messages in" not in told
    assert b"1 message in" in told
    assert [row["message"] for row in rows(tmp_path / "s.jsonl")] == [{}]


def test_a_recorder_that_is_killed_has_kept_what_was_said_and_leaves_no_server_behind(tmp_path: Path) -> None:
    left = tmp_path / "left"
    program = f"import sys, pathlib; print('{{}}', flush=True); sys.stdin.read(); pathlib.Path({str(left)!r}).touch()"
    with started(tmp_path / "s.jsonl", program) as recorder:
        recorder.kill()
        recorder.communicate(timeout=60)  # returns once the server, which holds stderr too, has ended
    assert [row["message"] for row in rows(tmp_path / "s.jsonl")] == [{}]
    assert left.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--", "/no/such/server"], "/no/such/server: No such file or directory; check the command after --"),
        (["--to", "/dev/null", "--", "true"], "/dev/null: File exists; name a file that is not there yet"),
    ],
)
def test_what_cannot_begin_is_told(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["record", *words]) == COULD_NOT_RUN
    assert told in capsys.readouterr().err
    assert list((tmp_path / "tzzr-sessions").glob("*")) == []
