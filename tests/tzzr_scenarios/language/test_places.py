"""YAML 1.2 as people mean it, and the place of everything."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_scenarios.language.places import Place, read


@pytest.mark.parametrize(
    "word",
    ["no", "No", "sí", "on", "off", "yes", "Y", "2026-01-04", "012", "1:30", "0x1F", "1_000", ".inf", "+1", "=", "<<"],
)
def test_words_that_yaml_1_1_turns_into_something_stay_text(word: str) -> None:
    assert read("a.yaml", f"key: {word}").value == {"key": word}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("7", 7),
        ("-1.5", -1.5),
        ("2e3", 2000.0),
    ],
)
def test_json_s_own_words_are_values(text: str, value: object) -> None:
    assert read("a.yaml", f"key: {text}").value == {"key": value}


WORDS = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" \n\t"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS, lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner)
)


@given(VALUES)
def test_every_json_text_reads_as_itself(value: object) -> None:
    document = read("a.yaml", json.dumps(value, ensure_ascii=False))
    assert not document.mistakes
    assert document.value == value


def test_a_key_that_is_given_twice_is_a_mistake_that_names_the_first_line() -> None:
    document = read("a.yaml", "one: 1\ntwo: 2\none: 3\n")
    (mistake,) = document.mistakes
    assert (mistake.line, mistake.column) == (3, 1)
    assert '"one" is given twice' in str(mistake)
    assert "line 1" in str(mistake)


def test_places_count_from_one() -> None:
    document = read("a.yaml", "steps:\n  - call: ocr\n    with: {texto: hola}\n")
    assert document.place(("steps", 0, "with", "texto"), key=True) == Place(3, 12)
    assert document.place(("steps", 0, "with", "texto")) == Place(3, 19)
    assert document.place(("steps", 0, "nothing", "deep")) == Place(2, 5)


def test_broken_yaml_tells_line_column_and_a_mend() -> None:
    document = read("a.yaml", "scenario: one\nsteps: [1, 2\n")
    (mistake,) = document.mistakes
    assert mistake.line == 3
    assert "not YAML" in str(mistake)
    assert "indentation" in str(mistake)
