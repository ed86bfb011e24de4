"""``tzzr conform grace`` over a socket: another service, its planted mistakes, what cannot be asked, the reports."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.tzzr_scenarios.conform.served import served
from tests.tzzr_scenarios.conform.stranger import MISTAKES, Stranger
from tzzr_mcp.seams import Dice, Seams, SystemClock
from tzzr_mocks.control import Control
from tzzr_mocks.grace import GraceFake
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main
from tzzr_scenarios.conform.grace import BOOK

over_a_socket = [pytest.mark.realtime, pytest.mark.enable_socket]
PLANTED = {
    "no-milliseconds": "envelope.timestamp",
    "characters": "hasher.size",
    "unknown-fields": "refuses.unknown-field",
    "always-retry": "failure.retryable",
    "sure-of-too-much": "classifier.sum",
}


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def broken(lines: list[dict[str, Any]]) -> set[str]:
    return {line["rule"] for line in lines if line.get("verdict") == "failed"}


@pytest.mark.slow
class TestOverASocket:
    pytestmark = over_a_socket

    def test_the_five_mistakes_of_another_service_are_named_and_nothing_else(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with served(Stranger(MISTAKES)) as base:
            assert main(["conform", "grace", "--url", base, "--plain", "--json"]) == FAILED
        *rules, end = lines(capsys)
        assert broken(rules) == {*PLANTED.values()}
        assert end["differing"] == len(MISTAKES) == 5

    def test_another_service_without_mistakes_passes_and_what_is_down_is_left_out(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with served(Stranger()) as base:
            assert main(["conform", "grace", "--url", base, "--plain", "-q"]) == PASSED
        out = capsys.readouterr().out
        assert "left out: OCR_CORE gave no result, FALLBACK_EXHAUSTED" in out
        assert "no difference in " in out

    def test_the_line_for_curl_shows_the_same_in_a_shell(self, capsys: pytest.CaptureFixture[str]) -> None:
        with served(Stranger(["characters"])) as base:
            main(["conform", "grace", "--url", base, "--plain", "--rule", "hasher.size", "--json"])
            [rule, _] = lines(capsys)
            words = [*shlex.split(rule["request"]), "-s"]
            shown = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
        assert shown["result"]["size_bytes"] == rule["differences"][0]["came"]

    def test_a_person_reads_the_rule_the_request_what_was_expected_and_what_came(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with served(Stranger(["no-milliseconds"])) as base:
            assert main(["conform", "grace", "--url", base, "--plain", "--rule", "envelope", "-q"]) == FAILED
        out = capsys.readouterr().out
        assert "envelope.timestamp\n  `envelope.timestamp` is RFC 3339" in out
        assert "\n  curl -g -X POST -H 'content-type: application/json'" in out
        assert '    came     "2026-03-01T12:00:00Z"' in out
        assert "theme envelope: 1 of 3 differ" in out

    def test_the_fake_behind_runpods_door_is_asked_with_its_key_which_nobody_sees(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        fake = GraceFake(Control("grace", Seams(SystemClock(), Dice(7))))
        key = fake.environment["RUNPOD_API_KEY"]
        with served(fake.app) as base:
            words = ["conform", "grace", "--url", f"{base}/v2/grace", "--key", key]
            assert main([*words, "--rule", "door.*", "--rule", "envelope", "--json"]) == PASSED
            out = capsys.readouterr().out
            assert key not in out
            assert "${RUNPOD_API_KEY}" in out
            assert main([*words[:-1], "rpa_wrong"]) == COULD_NOT_RUN
            assert "opens nothing" in capsys.readouterr().err
            assert main(["conform", "grace", "--url", f"{base}/v2", "--key", key]) == COULD_NOT_RUN
            assert "is --url the root of the endpoint, with its id?" in capsys.readouterr().err

    def test_the_files_hold_every_rule_with_its_verdict(self, tmp_path: Path) -> None:
        xml, listed = tmp_path / "made" / "conform.xml", tmp_path / "conform.json"
        with served(Stranger(["characters"])) as base:
            words = ["--rule", "hasher", "--rule", "ocr", "--junit", str(xml), "--json", str(listed), "-q"]
            assert main(["conform", "grace", "--url", base, "--plain", *words]) == FAILED
        suite = ET.parse(xml).getroot()  # noqa: S314 - our own file
        wanted = [rule.id for rule in BOOK if rule.theme in ("hasher", "ocr")]
        assert [case.get("name") for case in suite.iter("testcase")] == wanted
        assert [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None] == [
            "hasher.size"
        ]
        assert (suite.get("failures"), suite.get("skipped")) == ("1", "5")
        told = [json.loads(line) for line in listed.read_text("utf-8").splitlines()]
        assert [line["rule"] for line in told[:-1]] == wanted


@pytest.mark.parametrize(("words", "told"), [
    ([], "--url is not given; such as https://api.runpod.ai/v2/grace"),
    (["--url", "grace.example"], "is no address of a server"),
    (["--url", "http://u:p@grace.example"], "takes no query, fragment or password"),
    (["--url", "http://grace.example", "--key", "two words"], "holds a blank"),
    (["--rule", "envelop.trace"], "did you mean envelope.trace?"),
    (["--url", "http://127.0.0.1:1", "--json", "/no/such/folder/x"], "a report cannot be written there"),
])  # fmt: skip
def test_what_cannot_be_asked_is_told_with_the_mend(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", "grace", *words]) == COULD_NOT_RUN
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    assert told in seen.err


def test_every_rule_is_listed_and_nothing_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "grace", "--list"]) == PASSED
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == [rule.id for rule in BOOK]
    assert any("(only runpod) (--changes)" in line for line in listed)


@pytest.mark.parametrize(("words", "told"), [
    (["grace", "--rule", "refuses"], "no difference in 33 rules"),
    (["hst", "--rule", "01_*"], "no difference in "),
    (["mcp", "--rule", "names"], "no difference in 16 verdicts"),
])  # fmt: skip
def test_what_this_package_brings_passes_without_an_address(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", "fake", *words, "-q"]) == PASSED
    assert told in capsys.readouterr().out


@pytest.mark.slow
def test_all_that_this_package_brings_passes(tmp_path: Path) -> None:
    assert main(["conform", "fake", "-q", "--json", str(tmp_path / "all.json")]) == PASSED
    ends = [json.loads(line) for line in (tmp_path / "all.json").read_text("utf-8").splitlines() if '"end"' in line]
    assert [end["differing"] for end in ends] == [0, 0, 0]


def test_a_rule_of_another_kind_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "fake", "grace", "--rule", "errors.result"]) == COULD_NOT_RUN
    assert "--list shows them all" in capsys.readouterr().err
    assert main(["conform", "fake", "--rule", "errors.result"]) == COULD_NOT_RUN
    assert "say which: grace, hst, mcp" in capsys.readouterr().err


def test_everything_that_is_asked_of_ours_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "fake", "--list"]) == PASSED
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {"envelope.trace", "01_list-001", "errors.result"} <= {*listed}
