"""Whatever fails, recovers, is given up and started anew: what must hold for a user of the server always holds."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.property.whole_world import WholeWorld
from tests.searching import examples
from tests.tzzr_scenarios.search.bugs import BUGS
from tzzr_scenarios import runner
from tzzr_scenarios.language.load import load
from tzzr_scenarios.search import Broken
from tzzr_scenarios.search.finds import Finds

SEARCHED = examples(dev=20, ci=200)
"""Each is a world with a server, and fifteen steps."""
NOT_SHRUNK = settings(
    phases=[Phase.generate], database=None, derandomize=True, max_examples=300, stateful_step_count=10
)
"""What is written is made shorter anyway, which takes seconds where shrinking takes minutes."""


def broken(most_examples: int, steps: int) -> str:
    """What a search finds that does not hold, shrunk and with the place where it is written; empty for nothing."""
    try:
        run_state_machine_as_test(WholeWorld, settings=settings(max_examples=most_examples, stateful_step_count=steps))
    except Broken as error:
        return str(error)
    return ""


def test_a_short_search_of_the_whole_world_finds_nothing_that_breaks() -> None:
    assert broken(3, 6) == ""


@pytest.mark.slow
def test_a_long_search_of_the_whole_world_finds_nothing_that_breaks() -> None:
    assert broken(SEARCHED, 15) == ""


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found_and_its_file_fails_with_it_and_passes_without(
    bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Sought(WholeWorld):
        finds = Finds(tmp_path, "a search for a planted bug")
        tools = ("generar_hash",)
        kinds = MappingProxyType({"grace": ["status", "connection_refused"]})

    with monkeypatch.context() as patch:
        BUGS[bug](patch)
        with pytest.raises(Broken, match=str(tmp_path)):
            run_state_machine_as_test(Sought, settings=NOT_SHRUNK)
        (path,) = tmp_path.glob("*.yaml")
        assert not runner.run_one(load(path), runner.Settings()).fine
    result = runner.run_one(load(path), runner.Settings())
    assert result.verdict == "passed", path.read_text(encoding="utf-8")
    assert len(load(path).scenario.steps) <= 8, path.read_text(encoding="utf-8")
