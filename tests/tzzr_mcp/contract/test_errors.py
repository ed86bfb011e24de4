"""Codes, failures and what is quoted in them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from tzzr_mcp.contract.errors import GRACE_CODES, RETRYABLE, ArgumentInvalid, Code, ContractError, Failure, shown
from tzzr_scenarios.strategies.values import anything


def test_every_code_says_whether_it_may_be_retried() -> None:
    assert set(RETRYABLE) == set(Code)


@pytest.mark.parametrize(
    ("code", "retryable"),
    [
        (Code.LOW_CONFIDENCE, False),
        (Code.MODULE_UNAVAILABLE, True),
        (Code.FALLBACK_EXHAUSTED, True),
        (Code.INTERNAL, True),
        (Code.BUSY, True),
        (Code.GRACE_AUTH, False),
        (Code.GRACE_BAD_RESPONSE, True),
        (Code.CONTRACT_MISMATCH, False),
        (Code.CIRCUIT_OPEN, True),
    ],
)
def test_a_code_is_retryable_as_the_contract_says(code: Code, *, retryable: bool) -> None:
    assert RETRYABLE[code] is retryable
    assert Failure.of(code, "Algo falló.").retryable is retryable


def test_grace_reports_the_fourteen_codes_of_the_first_table() -> None:
    assert len(GRACE_CODES) == 14
    assert GRACE_CODES[0] is Code.CONTRACT_INVALID
    assert GRACE_CODES[-1] is Code.INTERNAL


def test_a_failure_is_told_as_the_results_meta_has_it() -> None:
    attempts = [{"module": "OCR_LOCAL", "status": "ERROR", "duration_ms": 1}]
    failure = Failure(Code.FALLBACK_EXHAUSTED, "No se pudo.", retryable=True, details={"n": 1}, attempts=attempts)

    told = json.loads(json.dumps(failure.as_json()))
    assert told == {
        "code": "FALLBACK_EXHAUSTED",
        "message": "No se pudo.",
        "retryable": True,
        "details": {"n": 1},
        "attempts": attempts,
    }


def test_an_invalid_argument_names_the_argument() -> None:
    error = ArgumentInvalid("texto", "El argumento «texto» no vale.", accepted=["a"])

    assert isinstance(error, ContractError)
    assert str(error) == error.failure.message
    assert error.failure.code is Code.ARGUMENT_INVALID
    assert error.failure.details == {"argument": "texto", "accepted": ["a"]}


def test_a_short_value_is_quoted_whole() -> None:
    assert shown("hola") == '"hola"'
    assert shown("a" * 40) == f'"{"a" * 40}"'
    assert shown(b"ab") == "b'ab'"
    assert shown(float("nan")) == "NaN"


def test_a_long_value_is_cut_and_marked() -> None:
    assert shown("a" * 8_000_000) == f'"{"a" * 39}…'


def test_what_cannot_be_printed_is_spelled_out() -> None:
    assert shown("\x00\ud800\u202e") == '"\\u0000\\ud800\\u202e"'


@given(anything())
def test_a_quoted_value_is_always_short_and_printable(value: object) -> None:
    assert shown(value).isprintable()
    assert len(shown(value)) < 300
