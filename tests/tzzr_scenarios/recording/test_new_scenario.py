"""From a recording to a file that passes, and that a change of the server breaks."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from pathlib import Path
from typing import Literal

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.tzzr_scenarios.recording.sessions import Recorded, answer
from tzzr_mcp.contract.catalogue import MODULES, TOOLS
from tzzr_scenarios import runner
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main
from tzzr_scenarios.language.load import load
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.recording.settled import drop

DIGEST = hashlib.sha256(b"hola").hexdigest()


def hashed(**data: object) -> Recorded:
    recorded = Recorded()
    recorded.calls("generar_hash", answer(f"sha256: {DIGEST}", {"digest": DIGEST, **data}), texto="hola")
    return recorded


def test_a_recording_becomes_a_file_that_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "hash.scenario.yaml"
    path = hashed().written(tmp_path)
    assert main(["new", "scenario", str(path), "-o", str(out), "--title", "The hash of hola is known"]) == PASSED
    assert "is written and passes: tzzr run" in capsys.readouterr().out
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# yaml-language-server: $schema=")
    assert lines[1] == "# Recorded 2026-01-04: mcp-server-tzzr --offline"
    assert runner.run_one(load(out), runner.Settings(3)).verdict == "passed"


def test_what_the_fakes_answer_otherwise_is_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.scenario.yaml"
    path = hashed(size_bytes=5).written(tmp_path)
    assert main(["new", "scenario", str(path), "-o", str(out)]) == PASSED
    assert "not expected: call generar_hash: data.size_bytes was 5, and is 4 on the fakes" in capsys.readouterr().err
    assert load(out).scenario.steps[0].expect.data == {"digest": DIGEST}


def test_another_outcome_is_no_passing_thing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = Recorded()
    recorded.calls("clasificar", answer("x", {"category": "x"}))
    out = tmp_path / "x.scenario.yaml"
    assert main(["new", "scenario", str(recorded.written(tmp_path)), "-o", str(out)]) == FAILED
    assert "does not pass" in capsys.readouterr().out
    assert out.exists()


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.scenario.yaml"
    out.write_text("mine")
    assert main(["new", "scenario", str(hashed().written(tmp_path)), "-o", str(out)]) == COULD_NOT_RUN
    assert "is there already; name another file: -o" in capsys.readouterr().err
    assert main(["new", "scenario", str(tmp_path / "nothing"), "-o", str(tmp_path / "y")]) == COULD_NOT_RUN
    assert out.read_text() == "mine"


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("data.a", {"data": {"b": [{"c": 1}], "d.e": 1}, "error": 1}),
        ("data.b[0].c", {"data": {"a": 1, "d.e": 1}, "error": 1}),
        ("length of data.b", {"data": {"a": 1, "d.e": 1}, "error": 1}),
        ("data.d.e", {"data": {"a": 1, "b": [{"c": 1}]}, "error": 1}),
        ("error.code", None),
        ("verdict x", None),
    ],
)
def test_an_expectation_is_left_out_where_it_stands(path: str, left: object) -> None:
    expect = {"data": {"a": 1, "b": [{"c": 1}], "d.e": 1}, "error": 1}
    assert drop(expect, Difference(path, "", "")) == (left is not None)
    assert left is None or expect == left


@pytest.mark.slow
@pytest.mark.realtime
@pytest.mark.enable_socket
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_real_client_s_session_replays_and_a_change_of_the_server_breaks_it(
    mode: Literal["auto", "legacy"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording, out = tmp_path / "s.jsonl", tmp_path / "s.scenario.yaml"
    async with asyncio.timeout(120):
        await a_session(mode, recording)
    assert await asyncio.to_thread(main, ["new", "scenario", str(recording), "-o", str(out)]) == PASSED
    file = load(out)
    assert file.scenario.given.era == ("2025-11-25" if mode == "legacy" else None)
    assert (await asyncio.to_thread(runner.run_one, file, runner.Settings(3))).verdict == "passed"

    wrong = {**TOOLS, "clasificar": MODULES["SUMMARIZER"]}
    monkeypatch.setattr("tzzr_mcp.contract.translation.module_of", wrong.__getitem__)
    assert (await asyncio.to_thread(runner.run_one, file, runner.Settings(3))).verdict == "failed"


async def a_session(mode: Literal["auto", "legacy"], recording: Path) -> None:
    """What a user of an SDK's client does, recorded in between."""
    words = ["-m", "tzzr_scenarios.cli", "record", "--to", str(recording), "--"]
    server = [sys.executable, "-m", "tzzr_mcp", "--offline"]
    started = StdioServerParameters(command=sys.executable, args=[*words, *server], env=dict(os.environ))
    async with Client(stdio_client(started), mode=mode, cache=None) as client:
        await client.list_tools()
        await client.call_tool("clasificar", {"texto": "Factura de la luz"})
        await asyncio.gather(*(client.call_tool("generar_hash", {"texto": text}) for text in ("a", "b")))
        await client.read_resource("tzzr://servers/status")
        await client.get_prompt("analizar_factura", {"texto_factura": "Factura 1"})
