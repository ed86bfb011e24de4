"""Chance: the same for the same seed and name, another for every other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.seams import Dice

SEEDS = st.integers() | st.text(max_size=20)

DRAWS: dict[str, Callable[[Dice], Any]] = {
    "random": Dice.random,
    "uniform": lambda dice: dice.uniform(-1, 1),
    "integer": lambda dice: dice.integer(1, 6),
    "choice": lambda dice: dice.choice("abc"),
    "uuid4": Dice.uuid4,
    "hex": lambda dice: dice.hex(8),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@given(SEEDS)
def test_the_same_seed_draws_the_same(draw: Callable[[Dice], Any], seed: int | str) -> None:
    one, other = Dice(seed), Dice(seed)
    assert [draw(one) for _ in range(5)] == [draw(other) for _ in range(5)]


@given(SEEDS, st.text(max_size=10), st.text(max_size=10), st.integers(0, 10))
def test_what_one_consumer_draws_shifts_nothing_of_what_another_draws(
    seed: int | str, name: str, other: str, drawn: int
) -> None:
    alone, dice = Dice(seed).named(name), Dice(seed)
    first = dice.named(other)
    for _ in range(drawn):
        first.random()
        dice.random()
    assert dice.named(name).uuid4() == alone.uuid4()


@given(SEEDS, st.lists(st.text(max_size=10), min_size=2, max_size=6, unique=True))
def test_no_two_names_draw_alike(seed: int | str, names: list[str]) -> None:
    assert len({Dice(seed).named(name).uuid4() for name in names}) == len(names)


@given(SEEDS, st.integers(-100, 100), st.integers(0, 100), st.integers(1, 40))
def test_what_is_drawn_lies_within_its_bounds(seed: int | str, low: int, more: int, digits: int) -> None:
    dice = Dice(seed)
    assert 0 <= dice.random() < 1
    assert low <= dice.integer(low, low + more) <= low + more
    assert low <= dice.uniform(low, low + more) <= low + more
    assert dice.choice([low, more]) in {low, more}
    assert len(drawn := dice.hex(digits)) == digits
    assert set(drawn) <= set("0123456789abcdef")
    identity = dice.uuid4()
    assert (identity.version, identity.variant) == (4, "specified in RFC 4122")


def test_nobody_can_foresee_the_dice_of_a_server_in_production() -> None:
    assert Dice.from_entropy().uuid4() != Dice.from_entropy().uuid4()
