"""``tzzr conform hst`` over a socket: no difference but the listed ones, drift found and named, mistakes told."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.tzzr_mocks.hst.asking import TOKENS
from tests.tzzr_mocks.hst.clients.stage import Stage, open_stage
from tests.tzzr_mocks.hst.replay import FOLDER
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]

READER = TOKENS["reader"]
ACCOUNTS = [f"--as={name}={TOKENS[name]}" for name in ("admin", "noaccess", "suspended")]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """A fake that nothing is wrong with."""
    with open_stage() as running:
        yield running


def conform(stage: Stage, *words: str, token: str = READER) -> int:
    """The exit code of the command."""
    return main(["conform", "hst", "--url", stage.base, "--token", token, *words])


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """What was printed as JSON."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def not_covered() -> set[str]:
    listed = yaml.safe_load((FOLDER / "not_covered.yaml").read_text("utf-8"))["sqlite"]
    return {case for entry in listed for case in entry["cases"]}


@pytest.mark.slow
def test_the_fake_differs_in_what_is_listed_alone_and_nothing_but_reads_is_sent(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    code = conform(stage, "--headers", "--json", *ACCOUNTS)
    *found, end = lines(capsys)
    assert {line["case"] for line in found} <= not_covered()
    assert (code, end["event"], end["differing"], end["rows"]) == (FAILED, "end", len(found), "recorded")
    assert end["asked"] > 800
    assert {exchange.method for exchange in stage.asked} == {"GET", "HEAD", "OPTIONS", "SEARCH"}


@pytest.mark.parametrize(("effect", "theme", "case", "part"), [
    ({"kind": "wrong_total", "by": 3}, "09", "09_meta-001", "json.meta.total_count"),
    ({"kind": "schema_changed", "old": "nombre", "new": "titulo"}, "01", "01_list-001", "titulo"),
])  # fmt: skip
def test_a_server_that_drifted_is_found_and_the_drift_named(
    effect: dict[str, Any], theme: str, case: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_stage({"match": {"service": "hst"}, "effect": effect}) as drifted:
        assert conform(drifted, "--theme", theme, "--json") == FAILED
    found = {line["case"]: line["differences"] for line in lines(capsys)[:-1]}
    assert any(part in difference["part"] for difference in found[case])


def test_a_person_reads_the_request_what_was_expected_and_what_came_and_no_token(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with open_stage({"match": {"service": "hst"}, "effect": {"kind": "wrong_total", "by": 3}}) as drifted:
        assert conform(drifted, "--theme", "9") == FAILED
    seen = capsys.readouterr()
    assert "09_meta-001\n  curl -g" in seen.out
    assert '"authorization: Bearer ${reader}"' in seen.out
    assert "json.meta.total_count\n    expected 639\n    came     642" in seen.out
    assert "differ; ${reader} in a line stands for the token" in seen.out
    assert READER not in seen.out + seen.err


def test_no_difference_ends_with_0(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    assert conform(stage, "--theme", "01,09") == PASSED
    assert "no difference in " in capsys.readouterr().out


def test_a_server_with_other_rows_is_held_to_their_form(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.fake.state.store.change("UPDATE tags_flg SET id = 1000 WHERE id = 65")
    try:
        assert conform(stage, "--theme", "01", "--json") == PASSED
        assert lines(capsys)[-1]["rows"] == "other"
        assert conform(stage, "--theme", "01", "--json", "--rows", "recorded") == FAILED
    finally:
        stage.fake.reset()


def test_postgres_is_held_to_what_postgres_answered(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    assert conform(stage, "--theme", "10", "--dialect", "postgres", "--json") == FAILED
    assert any(one["recorded"] == "639" and one["came"] == 639 for line in lines(capsys)[:-1]
               for one in line["differences"])  # fmt: skip


@pytest.mark.parametrize(("words", "told"), [
    (["--token", "wrong"], "the server refuses the token of reader: Invalid user credentials."),
    (["--token", TOKENS["noaccess"]], "the reader may read none of tags_hst, tags_spe, tags_flg"),
    (["--token", ""], "--token is not given or empty"),
    (["--token", "two words"], "holds a blank"),
    (["--as", "admn=x"], "did you mean admin?"),
    (["--theme", "99"], "is none of the corpus"),
    (["--url", "hst.example"], "is no address of a server; such as http://127.0.0.1:8055"),
    (["--url", "http://reader:word@hst.example"], "takes no query, fragment or password"),
    (["--url", "http://127.0.0.1:1"], "nobody answers at http://127.0.0.1:1"),
])  # fmt: skip
def test_what_cannot_be_asked_is_told_with_the_mend(
    stage: Stage, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert conform(stage, *words) == COULD_NOT_RUN
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    assert told in seen.err


@pytest.mark.parametrize("page", ["/admin", "/items/tags_hst"])
def test_the_address_of_a_page_is_refused_with_the_root(
    stage: Stage, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert conform(stage, "--url", stage.base + page) == COULD_NOT_RUN
    assert f"give its root, {stage.base}" in capsys.readouterr().err


def test_https_where_http_is_spoken_is_told(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    assert conform(stage, "--url", stage.base.replace("http:", "https:")) == COULD_NOT_RUN
    assert "http:// in place of https://" in capsys.readouterr().err


def test_the_line_for_curl_is_whole_for_a_shell(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    conform(stage, "--theme", "10", "--dialect", "postgres", "--json")
    for line in lines(capsys)[:-1]:
        words = shlex.split(line["request"])
        assert words[:2] == ["curl", "-g"]
        assert words[-1].startswith(stage.base + "/")
