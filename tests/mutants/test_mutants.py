"""The list of survivors and the score: what counts as noticed, and when the session fails."""

from __future__ import annotations

import json
import re
import signal
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.mutants.mutants import Mutant, change, forget_survivors
from tests.mutants.survivors import Score, listed, report
from tests.mutants.targets import Target, targets
from tests.mutants.tree import LINKED, PACKAGES, ROOT, lay_out

KILLED = [Mutant(f"a.b:f: {number}", 1) for number in range(9)]
ALIVE = Mutant("a.b:f: {1 => 2}", 0)


def test_a_mutant_is_told_by_the_words_that_changed_in_their_line() -> None:
    assert change("return one + two", "return one - two") == "return one {+ => -} two"
    assert change('raise Bad(f"{x}")', "raise Bad(None)") == 'raise Bad({f"{x}" => None})'
    assert change("call(a, b)", "call(b)") == "call({a,  => }b)"
    assert change("aa", "a") == "{aa => a}"


@pytest.mark.parametrize(
    ("code", "killed"), [(1, True), (-signal.SIGPROF, True), (0, False), (33, False), (None, False)]
)
def test_a_mutant_is_killed_by_a_red_test_or_by_its_time_and_by_nothing_else(code: int | None, killed: bool) -> None:
    assert Mutant("a.b:f: x", code).killed is killed


def test_nine_of_ten_are_enough_and_the_tenth_is_printed_ready_for_the_list() -> None:
    score = Score.of([*KILLED, ALIVE], {})
    assert (score.percent, score.fine, score.survivors) == (90.0, True, (ALIVE,))
    assert f"'''{ALIVE.told}'''," in report("a", score)
    assert not Score.of([*KILLED[1:], ALIVE], {}).fine


def test_a_listed_survivor_counts_like_a_killed_one() -> None:
    score = Score.of([ALIVE], {ALIVE.told: "equivalent"})
    assert (score.excused, score.percent, score.fine, score.survivors) == (1, 100.0, True, ())


@pytest.mark.parametrize("told", [KILLED[0].told, "a.b:gone: {1 => 2}"], ids=["killed by now", "no longer a mutant"])
def test_an_entry_that_is_no_longer_needed_fails_the_session(told: str) -> None:
    score = Score.of(KILLED, {told: "equivalent"})
    assert (score.percent, score.needless, score.fine) == (100.0, (told,), False)
    assert told in report("a", score)


def test_no_mutants_at_all_is_no_success() -> None:
    assert not Score.of([], {}).fine


def test_trying_again_keeps_what_was_killed(tmp_path: Path) -> None:
    meta = tmp_path / "mutants" / "a" / "b.py.meta"
    meta.parent.mkdir(parents=True)
    meta.write_text(
        json.dumps({"exit_code_by_key": {"killed": 1, "alive": 0, "slow": -signal.SIGPROF, "untested": 33}})
    )
    forget_survivors(tmp_path)
    kept = json.loads(meta.read_text())["exit_code_by_key"]
    assert kept == {"killed": 1, "alive": None, "slow": -signal.SIGPROF, "untested": None}


@pytest.mark.parametrize("target", targets().values(), ids=lambda target: target.name)
def test_what_a_target_names_is_there(target: Target, tmp_path: Path) -> None:
    lay_out(target, tmp_path, anew=True)
    assert all(list(tmp_path.glob(pattern)) for pattern in target.modules)
    assert all(list(ROOT.glob(pattern)) for pattern in target.tests)
    assert all((ROOT / test.partition("::")[0]).exists() for test in target.without)
    assert all((tmp_path / name).exists() for name in LINKED)


@pytest.mark.parametrize(("realtime", "marks"), [(False, "not slow and not realtime"), (True, "not slow")])
def test_a_target_may_be_held_by_tests_on_real_time(tmp_path: Path, realtime: bool, marks: str) -> None:
    lay_out(Target("a", ("a/*",), ("tests/mutants/test_mutants.py",), realtime=realtime), tmp_path, anew=True)
    settings = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["tool"]["mutmut"]
    assert settings["pytest_add_cli_args"][-2:] == ["-m", marks]


def test_every_listed_mutant_belongs_to_a_target_and_has_a_reason() -> None:
    for name, target in targets().items():
        for told, reason in listed(name).items():
            module = told.partition(":")[0].replace(".", "/")
            files = (f"{module}.py", f"{module}/__init__.py")
            assert any(fnmatch(file, pattern) for file in files for pattern in target.modules), told
            assert len(reason.split()) > 3, told


def unmutated(told: str) -> Iterator[str]:
    """What the line may have been: code has braces and arrows of its own."""
    code = told.split(":", 2)[2]
    for arrow in re.finditer(" => ", code):
        for start in re.finditer("{", code[: arrow.start()]):
            for end in re.finditer("}", code[arrow.end() :]):
                kept = code[: start.start()] + code[start.end() : arrow.start()] + code[arrow.end() + end.end() :]
                yield " ".join(kept.split())


@pytest.mark.parametrize("name", targets())
def test_every_listed_mutant_changes_code_that_is_there(name: str) -> None:
    for told in listed(name):
        top, *inner = told.partition(":")[0].split(".")
        place = ROOT.joinpath(PACKAGES[top], *inner)
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        source = " ".join(file.read_text("utf-8").split())
        assert any(line in source for line in unmutated(told)), (
            f"{told}: the code has changed; nox -s mutants -- {name}"
        )
