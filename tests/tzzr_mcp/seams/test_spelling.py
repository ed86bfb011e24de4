"""Which known name was meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.seams.spelling import nearest

NAMES = ["clasificar", "resumir", "ocr", "RUNPOD_API_KEY"]


def test_the_most_similar_name_is_meant_whatever_its_case() -> None:
    assert nearest("clasifcar", NAMES) == "clasificar"
    assert nearest("runpod_apikey", NAMES) == "RUNPOD_API_KEY"


def test_a_name_like_none_of_them_means_none() -> None:
    assert nearest("xyz", NAMES) is None
    assert nearest("clasifcar", []) is None


def test_less_likeness_finds_a_name_of_which_half_is_there() -> None:
    assert nearest("resu", ["resumir esto"]) is None
    assert nearest("resu", ["resumir esto"], likeness=0.5) == "resumir esto"


def test_of_a_megabyte_only_its_start_is_looked_at() -> None:
    assert nearest("a" * 1_000_000, ["a" * 300]) == "a" * 300


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1), st.data())
def test_a_known_name_is_the_nearest_to_itself(names: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names))
    near = nearest(name, names)
    assert near is not None
    assert near.casefold() == name.casefold()
