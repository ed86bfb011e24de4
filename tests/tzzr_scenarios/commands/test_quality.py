"""``tzzr quality`` as a person and a program use it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tzzr_scenarios.cli import main
from tzzr_scenarios.quality.reader import EngineReader


def test_the_table_has_a_row_for_each_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quality", "invoices", "--count", "10", "-q"]) == 0

    printed = capsys.readouterr().out
    assert printed.startswith("10 invoices of seed 1619: precision/recall in per cent\n")
    assert {"emisor_nombre", "total", "taxes", "lines"} <= set(printed.split())


def test_a_program_gets_a_line_for_each_figure_and_each_miss(tmp_path: Path) -> None:
    file = tmp_path / "quality.jsonl"
    assert main(["quality", "themes", "kinds", "-q", "--show-misses", "1", "--json", str(file)]) == 0

    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["task"] for line in lines if line["event"] == "labels"] == ["kinds", "kinds", "themes", "themes"]
    assert [line["of"] for line in lines if line["event"] == "miss"] == ["kinds"]
    assert lines[-1] == {"event": "end", "without_result": 0}


def test_a_paper_is_printed_as_it_is_sent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quality", "--print", "key_value-0", "--count", "1"]) == 0

    assert capsys.readouterr().out.startswith("FACTURA\n")


def test_under_the_floor_is_a_failure_that_says_what(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quality", "kinds", "-q", "--floor", "90"]) == 1

    assert "accuracy of kinds held out is 69.4 %, under 90 %" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["invoces"], "'invoces' is no measure; did you mean invoices?"),
        (["--layout", "leter"], "'leter' is no layout; did you mean letter?"),
        (["--count", "0"], "--count 0 is not from 1 to 100000"),
        (["--count", "2", "--layout", "ticket"], "--count 2 has no invoice of ticket"),
        (
            ["--print", "ticket-4", "--count", "5"],
            "there is no invoice 'ticket-4'; they are called by layout and place: key_value-0",
        ),
        (["kinds", "--url", "ftp://example"], "--url 'ftp://example' is no address of a server"),
        (["kinds", "--json", "/no/such/folder/file"], "a report cannot be written there"),
    ],
)
def test_what_cannot_be_is_told_with_its_mend(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quality", "-q", *words]) == 2

    assert told in capsys.readouterr().err


def test_without_faker_only_invoices_cannot_be_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "faker", None)
    monkeypatch.delitem(sys.modules, "tzzr_scenarios.quality.invoices.generator", raising=False)

    assert main(["quality", "themes", "-q"]) == 0
    assert main(["quality", "invoices", "-q"]) == 2
    assert "pip install 'mcp-server-tzzr[proof]'" in capsys.readouterr().err


@pytest.mark.realtime
@pytest.mark.enable_socket
def test_nobody_at_the_address_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quality", "themes", "-q", "--plain", "--url", "http://127.0.0.1:1/contract"]) == 2

    assert "nobody answers at http://127.0.0.1:1/contract" in capsys.readouterr().err


def test_a_service_that_gives_no_result_at_all_is_not_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def refuse(self: EngineReader, module: str, text: str, params: dict[str, Any]) -> dict[str, Any]:
        self.troubles.append(f"{module}: MODULE_DOWN")
        return {}

    monkeypatch.setattr(EngineReader, "read", refuse)

    assert main(["quality", "themes", "-q"]) == 2
    assert "32 requests got no result, such as: CLASSIFIER: MODULE_DOWN" in capsys.readouterr().err
