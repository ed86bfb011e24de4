"""No secret of the server's environment, of its command or of a message is kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.control.redaction import BLOT
from tzzr_scenarios.recording.secrets import Discretion, was_cut

SECRET = "rpa_0123456789abcdef"
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)


@given(TEXTS, TEXTS)
def test_a_key_of_the_environment_is_blotted_out_wherever_it_stands(before: str, after: str) -> None:
    discretion = Discretion({"RUNPOD_API_KEY": SECRET})
    message = {"a": [f"{before}{SECRET}{after}", {"b": SECRET}], "c": json.dumps({"k": SECRET})}
    assert SECRET not in json.dumps(discretion.message(message, 1000), ensure_ascii=False)


@pytest.mark.parametrize("command", [["serve", "--token", SECRET], ["serve", f"--api-key={SECRET}"]])
def test_an_option_that_is_named_like_a_secret_is_one(command: list[str]) -> None:
    assert SECRET not in Discretion({}, command).text(" ".join(command))


@pytest.mark.parametrize("name", ["token", "Password", "API_KEY", "client_secret"])
def test_a_field_that_is_named_like_a_secret_is_blotted_out(name: str) -> None:
    assert Discretion({}).message({name: "x", "texto": "y"}, 10) == {name: BLOT, "texto": "y"}


def test_settings_that_are_no_secrets_and_short_words_stay() -> None:
    discretion = Discretion({"LOG_LEVEL": "WARNING", "HST_TOKEN": "abc"})
    assert discretion.text("abc WARNING") == "abc WARNING"


def test_what_is_too_long_is_cut_and_says_so() -> None:
    cut = Discretion({}).message({"texto": "x" * 50, "n": 7}, 20)
    assert cut["texto"].startswith("x" * 20 + "…")
    assert was_cut(cut["texto"])
    assert "50 characters" in cut["texto"]
    assert not was_cut("x" * 50)
