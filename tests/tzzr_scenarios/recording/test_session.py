"""A recording read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tzzr_scenarios.recording.sessions import Recorded, answer
from tzzr_scenarios.recording.session import RecordingError, read_session


def test_requests_are_put_together_with_their_answers(tmp_path: Path) -> None:
    recorded = Recorded()
    first, second = recorded.asks("tools/list"), recorded.asks("prompts/list")
    recorded.answers(second, prompts=[])
    recorded.answers(first, tools=[{"name": "ocr"}])
    session = read_session(recorded.written(tmp_path))
    assert [(asked.method, asked.result) for asked in session.asked] == [
        ("tools/list", {"tools": [{"name": "ocr"}]}),
        ("prompts/list", {"prompts": []}),
    ]


@pytest.mark.parametrize(("version", "era"), [("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25")])
def test_a_session_that_was_initialized_is_of_the_older_era(tmp_path: Path, version: str, era: str) -> None:
    recorded = Recorded()
    recorded.answers(recorded.asks("initialize"), protocolVersion=version)
    recorded.answers(recorded.asks("tools/list"), tools=[])
    assert read_session(recorded.written(tmp_path)).era == era
    assert read_session(recorded.written(tmp_path)).left_out == {}


def test_what_cannot_be_repeated_is_counted(tmp_path: Path) -> None:
    recorded = Recorded()
    recorded.calls("ocr", answer("x", {}))
    recorded.answers(recorded.asks("resources/subscribe", uri="x"))
    recorded.asks("tools/call", name="ocr")
    left = read_session(recorded.written(tmp_path)).left_out
    assert left == {"resources/subscribe": 1, "tools/call without an answer": 1}


def test_a_last_line_that_was_never_finished_is_no_mistake(tmp_path: Path) -> None:
    recorded = Recorded()
    recorded.calls("ocr", answer("x", {}))
    path = recorded.written(tmp_path)
    path.write_text(path.read_text() + '{"at": 3, "fro')
    assert len(read_session(path).asked) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no recording; make one: tzzr record -- mcp-server-tzzr --offline"),
        ("scenario: x\n", ":1 is no JSON; name a file that tzzr record wrote"),
        ('{"x": 1}\n', "is no recording"),
        ('{"recording": 9}\n', "a recording of version 9, this is for version 1"),
        ('{"recording": 1}\n{"from": "client", "message": {"id": 1, "method": "a/b"}}\n', r"\(it holds a/b ×1\)"),
        ('{"recording": 1}\n', r"\(it holds nothing\)"),
    ],
)
def test_what_is_no_recording_is_told_with_the_mend(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(RecordingError, match=told):
        read_session(path)
    with pytest.raises(RecordingError, match="No such file"):
        read_session(tmp_path / "nothing")
