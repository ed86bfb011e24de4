"""What a search finds: one short scenario file, that fails as the search did until what it shows is mended."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tzzr_scenarios.search.bugs import never_half_opens, runs_twice
from tzzr_scenarios import runner
from tzzr_scenarios.cli import FAILED, PASSED, main
from tzzr_scenarios.language.load import load
from tzzr_scenarios.search import Broken, Journey
from tzzr_scenarios.search.finds import Finds

EITHER = {"expect": {"outcome": {"any": True}}}
KEPT_FOR_THE_SCHEMA = re.compile(r"# yaml-language-server: \$schema=\S+scenario-1\.schema\.json\n")


def hashed(text: str, **more: Any) -> dict[str, Any]:
    return {"call": "generar_hash", "with": {"texto": text}, **more}


@pytest.fixture
def finds(tmp_path: Path) -> Finds:
    return Finds(tmp_path / "found", "a search of the tests")


def broken(steps: list[dict[str, Any]], after: dict[str, Any] | None = None, **given: Any) -> Journey:
    """A journey that these steps broke."""
    with Journey(given) as journey:
        with suppress(Broken):
            for step in steps:
                journey.take(step)
            journey.end(after)
        assert journey.symptoms
        return journey


def to_an_open_breaker() -> list[dict[str, Any]]:
    """More steps than it takes, as a search has them before it shrinks."""
    return [
        hashed("antes"),
        {"advance": "1s"},
        {"inject": "grace: calls fail with 503"},
        {"inject": "hst: calls fail with 500"},
        {"restart": "server"},
        *(hashed(word, **EITHER) for word in ("uno", "dos", "tres")),
        {"heal": "all"},
        {"advance": "1min"},
        {"parallel": [hashed("hola", expect={"within": "10s"}), {"call": "obtener_tag", "with": {"ref": "ES"}}]},
    ]


@pytest.mark.slow
def test_a_find_is_as_short_as_it_may_be_and_fails_until_what_it_shows_is_mended(
    finds: Finds, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        never_half_opens(patch)
        path = finds.keep(broken(to_an_open_breaker(), seed=3))
        assert main(["run", str(path)]) == FAILED
        assert "CIRCUIT_OPEN" in capsys.readouterr().out
    assert main(["run", str(path)]) == PASSED
    told = path.read_text(encoding="utf-8")
    assert KEPT_FOR_THE_SCHEMA.match(told)
    assert (
        "# Found by a search of the tests:\n#   expect no CIRCUIT_OPEN: call generar_hash: error: CIRCUIT_OPEN" in told
    )
    steps = load(path).document.value["steps"]
    assert [next(iter(step)) for step in steps] == ["inject", "restart", "call", "call", "heal", "advance", "parallel"]
    assert "hst: " not in told
    assert load(path).scenario.given.seed == 3


def test_what_is_wrong_only_in_the_end_is_found_too(finds: Finds, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [hashed("adiós"), hashed("hola"), {"advance": "2s"}, {"restart": "server"}, hashed("hola")]
    with monkeypatch.context() as patch:
        runs_twice(patch)
        path = finds.keep(
            broken(steps, {"computed": {"HASHER": {"le": 2}, "TTS_ENGINE": {"le": 0}}, "jobs": {"IN_QUEUE": 0}})
        )
        assert runner.run_one(load(path), runner.Settings()).verdict == "failed"
    file = load(path)
    assert runner.run_one(file, runner.Settings()).verdict == "passed"
    assert file.document.value["after"] == {"computed": {"HASHER": {"le": 2}}}
    assert [next(iter(step)) for step in file.document.value["steps"]] == ["call", "call", "call"]
    assert path.name.startswith("computed-hasher-")


def test_faults_of_a_find_need_not_be_met_once_it_is_mended(finds: Finds, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = {"match": {"service": "grace", "module": "TTS_ENGINE"}, "effect": {"kind": "module_down"}}
    steps = [{"inject": rule}, hashed("hola", expect={"data": {"digest": "0"}})]
    path = finds.keep(broken(steps, faults=["hst: calls fail with 500"]))
    given = load(path).document.value.get("given", {})
    assert all(str(fault).endswith("optional") for fault in given.get("faults", []))
    result = runner.run_one(load(path), runner.Settings())
    assert [each.path for each in result.differences] == []


def test_long_and_binary_arguments_become_documents(finds: Finds) -> None:
    audio = "UklGRiQAAABXQVZF"
    steps = [{"call": "transcribir", "with": {"audio_base64": audio}}, hashed("x" * 400, expect={"error": "INTERNAL"})]
    path = finds.keep(broken(steps[1:]))
    assert load(path).document.value["steps"][0]["with"] == {"texto": {"file": f"{path.stem}.files/1.txt"}}
    assert runner.run_one(load(path), runner.Settings()).verdict == "failed"
    heard = finds.keep(broken(steps[:1]))
    assert load(heard).document.value["steps"][0]["with"] == {"audio_base64": {"base64": f"{heard.stem}.files/1.wav"}}


def test_the_same_find_is_the_same_file_which_stays_as_it_is(finds: Finds) -> None:
    journey = broken([hashed("hola", expect={"error": "INTERNAL"})])
    path = finds.keep(journey)
    path.write_text("scenario: A title that somebody gave it\nsteps: [{advance: 1}]\n", encoding="utf-8")
    assert finds.keep(broken([hashed("hola", expect={"error": "INTERNAL"})])) == path
    assert path.read_text(encoding="utf-8").startswith("scenario: A title that somebody")
    assert [each.name for each in finds.folder.iterdir()] == [path.name]


def test_a_find_that_does_not_break_by_itself_says_so(finds: Finds, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        runs_twice(patch)
        journey = broken([hashed("hola"), hashed("hola")], {"computed": {"HASHER": 1}})
    path = finds.keep(journey)
    assert "# Played by itself it passes" in path.read_text(encoding="utf-8")
    assert runner.run_one(load(path), runner.Settings()).verdict == "passed"


def searching(finds: Finds, wrong: Callable[[int], bool]) -> Callable[[], None]:
    """A property that drives a world: each number is a call, and of some a wrong thing is expected."""

    @settings(max_examples=5, database=None, derandomize=True)
    @given(st.integers(0, 9))
    def search(number: int) -> None:
        expect = {"expect": {"data": {"size_bytes": 0}}} if wrong(number) else {}
        with Journey(keeper=finds) as journey:
            journey.take(hashed(str(number), **expect))

    return search


@pytest.mark.slow
def test_only_the_shrunk_example_of_a_search_is_written(finds: Finds) -> None:
    with pytest.raises(Broken, match=r"written down: .*found/data-[0-9a-f]{6}\.yaml\nplay it again: tzzr run"):
        searching(finds, lambda number: number > 2)()
    (path,) = finds.folder.iterdir()
    assert load(path).document.value["steps"] == [hashed("3", expect={"data": {"size_bytes": 0}})]


def test_a_search_that_finds_nothing_writes_nothing(finds: Finds) -> None:
    searching(finds, lambda number: False)()
    assert not finds.folder.exists()
