from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.control.entry import Kept
from tzzr_mocks.control.redaction import BLOT, SECRET_FIELDS, SECRET_HEADERS, Redaction

SECRET = "s3cr3t-valuE"


@pytest.mark.parametrize("name", sorted(SECRET_HEADERS))
def test_secret_headers_are_blotted_out_and_keep_their_scheme(name: str) -> None:
    assert Redaction().header(name.title(), f"Bearer {SECRET}") == f"Bearer {BLOT}"
    assert Redaction().header(name, SECRET) == BLOT


@pytest.mark.parametrize("name", SECRET_FIELDS)
def test_secret_fields_and_parameters_are_blotted_out(name: str) -> None:
    redaction = Redaction()

    assert json.loads(redaction.text(json.dumps({name: f'{SECRET}"\\', "other": 1}))) == {name: BLOT, "other": 1}
    assert redaction.text(f"limit=1&{name}={SECRET}&sort=ref") == f"limit=1&{name}={BLOT}&sort=ref"
    assert SECRET not in redaction.text(f'{{"{name}": "{SECRET}')
    assert SECRET not in redaction.text(json.dumps({name.title(): SECRET}))


def test_what_is_no_secret_stays() -> None:
    text = '{"tokens": 3, "name": "token", "nota": "la contraseña password=no"}'

    assert json.loads(Redaction().text(text))["tokens"] == 3
    assert Redaction().header("content-type", "application/json") == "application/json"


@given(st.text(min_size=0, max_size=200), st.integers(0, 200))
def test_a_known_value_is_found_wherever_it_stands(text: str, place: int) -> None:
    redaction = Redaction([SECRET])
    place = min(place, len(text))

    assert SECRET not in redaction.text(text[:place] + SECRET + text[place:])


@given(st.integers(0, 60))
def test_a_secret_that_the_cap_cuts_in_half_leaves_no_half(before: int) -> None:
    redaction = Redaction([SECRET])
    kept = Kept(b"x" * before + SECRET.encode() + b"y" * 9000, 50).read(50, redaction)

    assert kept.truncated
    assert SECRET[:4] not in kept.text
