"""No secret survives in a text, in whatever form it was echoed."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import SecretStr

from tzzr_mcp.services.redaction import HIDDEN, LIMIT, Redaction

secrets = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=8, max_size=60)
words = st.text(max_size=200)


@given(secret=secrets, before=words, after=words)
def test_a_secret_never_survives(secret: str, before: str, after: str) -> None:
    redaction = Redaction([SecretStr(secret)])
    for form in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1]):
        assert secret not in redaction.clean(f"{before} {form} {after}").replace(HIDDEN, "")


@given(secret=secrets)
@example('pa/s"s\\w+rd')
def test_each_form_of_a_secret_is_hidden_whole(secret: str) -> None:
    redaction = Redaction([SecretStr(secret)])
    for form in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1]):
        assert redaction.clean(f"<{form}>") == f"<{HIDDEN}>"


@pytest.mark.parametrize("holder", ["aa-secreta-bb", "zz-secreta-bb", "secreta-secreta"])
def test_a_secret_that_holds_another_is_hidden_whole(holder: str) -> None:
    redaction = Redaction([SecretStr("secreta"), SecretStr(holder)])
    assert redaction.clean(f"{holder} secreta") == f"{HIDDEN} {HIDDEN}"


def test_what_is_no_secret_stays_as_it_is() -> None:
    assert Redaction([SecretStr("secreta")]).clean("null, nulo: 'secret' a") == "null, nulo: 'secret' a"
    assert Redaction([]).clean("x" * LIMIT) == "x" * LIMIT


def test_text_is_cut_and_put_on_one_line() -> None:
    clean = Redaction([]).clean("a\n b\t" + "x" * 5000)
    assert clean.startswith("a b xxx")
    assert clean.endswith("…")
    assert len(clean) == LIMIT + 1


def test_an_empty_secret_hides_nothing() -> None:
    assert Redaction([SecretStr("")]).clean("abc") == "abc"
