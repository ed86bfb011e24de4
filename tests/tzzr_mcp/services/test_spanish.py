"""Numbers, times and lists in Spanish."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tzzr_mcp.services.spanish import alike, counted, delay, duration, listed, megabytes, number, shortened


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1250, None, "1.250"),
        ("1250.00", 2, "1.250,00"),
        ("-187.5", 2, "−187,50"),
        (Decimal("-0.001"), 2, "0,00"),
        (0.1, None, "0,1"),
        (1234567.891, 1, "1.234.567,9"),
    ],
)
def test_numbers(value: float | str | Decimal, digits: int | None, text: str) -> None:
    assert number(value, digits) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"),
        (0.0124, "12 ms"),
        (0.999, "999 ms"),
        (1, "1,0 s"),
        (1.43, "1,4 s"),
        (59.9, "59,9 s"),
        (60, "1 min 0 s"),
        (125.9, "2 min 5 s"),
        (3599, "59 min 59 s"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "1 segundo"), (29.2, "30 segundos"), (90, "90 segundos"), (91, "2 minutos"), (7200, "120 minutos")],
)
def test_delays(seconds: float, text: str) -> None:
    assert delay(seconds) == text


@pytest.mark.parametrize(
    ("items", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a y b"), (["a", "b", "c"], "a, b y c")]
)
def test_lists(items: list[str], text: str) -> None:
    assert listed(items) == text


def test_one_that_is_alike_takes_the_singular() -> None:
    assert alike(["ES"]) == "Se parece ES"
    assert alike(["ES", "FR"]) == "Se parecen ES y FR"


def test_counts_and_sizes() -> None:
    assert counted(1, "línea", "líneas") == "1 línea"
    assert counted(1200, "línea", "líneas") == "1.200 líneas"
    assert megabytes(7 * 1024 * 1024) == "7,0 MiB"
    assert megabytes(1_572_864) == "1,5 MiB"
    assert megabytes(1_600_000) == "1,5 MiB"
    assert megabytes(2000 * 1024 * 1024) == "2.000,0 MiB"


def test_a_text_is_cut_beyond_its_limit_alone_and_says_of_how_much() -> None:
    assert shortened("abcde", 5) == "abcde"
    assert shortened("a" * 2000, 1000) == (
        f"{'a' * 1000}…\n(se muestran 1.000 de 2.000 caracteres; el resto, en los datos)"
    )
