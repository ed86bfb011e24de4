"""A journey: scenario steps taken one at a time, judged at each, that come to the very same as the file that says them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_scenarios.search.bugs import never_half_opens
from tzzr_scenarios import runner
from tzzr_scenarios.language.load import load
from tzzr_scenarios.language.mistakes import FileMistakes
from tzzr_scenarios.language.places import written
from tzzr_scenarios.search import Broken, Journey
from tzzr_scenarios.stage import Unsettled

HASH = {"call": "generar_hash", "with": {"texto": "hola"}}
EITHER = {"expect": {"outcome": {"any": True}}}
DOWN = {"inject": "grace: calls fail with 503"}


@pytest.fixture
def journey() -> Iterator[Journey]:
    with Journey({"seed": 3}) as begun:
        yield begun


def test_a_step_is_answered_with_what_came_of_each_of_its_parts(journey: Journey) -> None:
    (hashed,) = journey.take(HASH)
    *inner, outer = journey.take({"parallel": [HASH, {"call": "obtener_tag", "with": {"ref": "ES"}}]})
    assert hashed.seen is not None
    assert hashed.seen.data["algorithm"] == "sha256"
    assert sorted(each.title for each in inner) == ["call generar_hash", "call obtener_tag"]
    assert outer.title == "parallel 2 steps"
    assert journey.end().verdict == "passed"


def test_a_journey_leaves_the_trace_that_the_file_with_its_steps_leaves(journey: Journey, tmp_path: Path) -> None:
    steps: list[dict[str, Any]] = [
        HASH, DOWN, {**HASH, "with": {"texto": "adiós"}, **EITHER}, {"restart": "server"}, {"heal": "all"},
        {"advance": "1min"}, {"cancel": "resumir", "with": {"texto": "Uno. Dos."}, "after": "60ms"},
    ]  # fmt: skip
    for step in steps:
        journey.take(step)
    told = {"scenario": "The same steps in a file", **journey.told}
    assert told["steps"] == steps
    path = tmp_path / "same.yaml"
    path.write_text(written(told), encoding="utf-8")
    result = runner.run_one(load(path), runner.Settings())
    assert result.verdict == "passed"
    assert journey.end().digest == result.digest


def test_what_a_step_expects_otherwise_ends_the_journey(journey: Journey) -> None:
    with pytest.raises(Broken, match='expect error: call generar_hash: error: success instead of "INTERNAL"'):
        journey.take({**HASH, "expect": {"error": "INTERNAL"}})
    assert list(journey.symptoms) == ["expect error"]


def test_a_verdict_ends_the_journey(journey: Journey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tzzr_scenarios.verdicts.RULES", {"all-is-lost": lambda evidence: iter(["for no reason"])})
    with pytest.raises(Broken, match="verdict all-is-lost: for no reason"):
        journey.take({"advance": 1})


def test_what_must_hold_in_the_end_is_judged_when_all_is_closed(journey: Journey) -> None:
    journey.take(HASH)
    with pytest.raises(Broken, match=r"after computed.HASHER: after.computed.HASHER: 1 .* instead of 2"):
        journey.end({"computed": {"HASHER": 2}})


def test_what_cannot_go_on_ends_the_journey(journey: Journey, monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(*_: Any) -> None:
        raise ZeroDivisionError("a crash of the client")

    monkeypatch.setattr("tzzr_scenarios.steps.observe", breaks)
    with pytest.raises(Broken, match="problem ZeroDivisionError: ZeroDivisionError: a crash of the client"):
        journey.take(HASH)


def test_a_keeper_hears_of_what_broke_and_its_remark_is_told() -> None:
    heard = []

    def keeper(journey: Journey) -> str:
        heard.append((dict(journey.symptoms), journey.told))
        return "look into the archive"

    with Journey(keeper=keeper) as journey, pytest.raises(Broken, match="look into the archive"):
        journey.take({"read": "tzzr://nowhere"})
    ((symptoms, told),) = heard
    assert list(symptoms) == ["expect no -32602"]
    assert told == {"given": {"seed": runner.DEFAULT_SEED}, "steps": [{"read": "tzzr://nowhere"}]}


@pytest.mark.parametrize(
    ("step", "raised"),
    [
        ({"call": "generar_hash", "whith": {}}, ValueError),
        ({"inject": "grace: OCR_LOCAL is dwon"}, FileMistakes),
        ({"call": "generar_hash", "with": {"texto": {"file": "nowhere.txt"}}}, LookupError),
    ],
)
def test_a_step_that_is_none_is_the_searchs_own_mistake(
    journey: Journey, step: dict[str, Any], raised: type[Exception]
) -> None:
    with pytest.raises(raised):
        journey.take(step)
    assert journey.symptoms == {}


def test_a_world_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(Unsettled, match="TZZR_CALL_TIMEOUT is no setting"):
        Journey({"settings": {"TZZR_CALL_TIMEOUT": 3}})
    with pytest.raises(ValueError, match="worlt"):
        Journey({"worlt": "default"})


def test_a_breaker_that_never_half_opens_is_noticed_after_all_is_healed(
    journey: Journey, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_half_opens(monkeypatch)
    journey.take(DOWN)
    for word in ("uno", "dos", "tres"):
        journey.take({"call": "generar_hash", "with": {"texto": word}, **EITHER})
    journey.take({"heal": "all"})
    journey.take({"advance": "1min"})
    with pytest.raises(Broken, match="expect no CIRCUIT_OPEN: call generar_hash: error: CIRCUIT_OPEN"):
        journey.take(HASH)


def test_time_in_a_journey_is_its_own(journey: Journey) -> None:
    begun = journey.elapsed
    journey.take({"advance": "2h"})
    assert journey.elapsed - begun == pytest.approx(7200)
