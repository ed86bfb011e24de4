"""Whatever fails, recovers, is given up and started anew: what must hold for a user of the server always holds."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.property.whole_world import WholeWorld

SEARCHED = settings.default.max_examples if settings.default else 20


def test_a_short_search_of_the_whole_world_finds_nothing_that_breaks() -> None:
    run_state_machine_as_test(WholeWorld, settings=settings(max_examples=6, stateful_step_count=6))


@pytest.mark.slow
def test_a_long_search_of_the_whole_world_finds_nothing_that_breaks() -> None:
    run_state_machine_as_test(WholeWorld, settings=settings(max_examples=SEARCHED, stateful_step_count=15))
