"""Rows of text found on a page: read as a person reads them, however the page lies."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.grace.engines.ocr_rows import Piece, in_rows

CENTRE = (400.0, 300.0)


def piece(text: str, left: float, top: float, right: float, *, turned: float = 0.0) -> Piece:
    """A box 30 pixels high, on a page turned by so many degrees about its middle."""
    corners = [(left, top), (right, top), (right, top + 30), (left, top + 30)]
    cosine, sine = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    return Piece(
        [
            (
                CENTRE[0] + (x - CENTRE[0]) * cosine - (y - CENTRE[1]) * sine,
                CENTRE[1] + (x - CENTRE[0]) * sine + (y - CENTRE[1]) * cosine,
            )
            for x, y in corners
        ],
        text,
    )


def receipt(turned: float) -> list[Piece]:
    return [
        piece("Martillo", 60, 100, 170, turned=turned),
        piece("18,50", 600, 101, 690, turned=turned),
        piece("Base imponible", 60, 150, 280, turned=turned),
        piece("70,50", 600, 149, 690, turned=turned),
        piece("TOTAL", 60, 200, 150, turned=turned),
        piece("85,31 €", 600, 200, 700, turned=turned),
    ]


def test_a_page_without_text_has_no_rows() -> None:
    assert in_rows([]) == ""


@pytest.mark.parametrize("turned", [-8.0, -2.2, 0.0, 2.2, 8.0])
def test_an_amount_stays_in_the_row_of_its_words_on_a_page_that_lies_askew(turned: float) -> None:
    assert in_rows(receipt(turned)) == "Martillo  18,50\nBase imponible  70,50\nTOTAL  85,31 €"


def test_a_narrow_gap_parts_words_and_a_wide_one_columns() -> None:
    assert in_rows([piece("Calle", 0, 0, 80), piece("Mayor", 88, 2, 170), piece("Fecha", 400, 1, 480)]) == (
        "Calle Mayor  Fecha"
    )


@given(st.permutations(range(6)), st.floats(-10, 10))
def test_the_order_in_which_pieces_were_found_does_not_matter(order: list[int], turned: float) -> None:
    pieces = receipt(turned)
    assert in_rows([pieces[place] for place in order]) == in_rows(pieces)


@given(st.lists(st.tuples(*[st.floats(-1e4, 1e4)] * 8), max_size=8))
def test_every_piece_is_kept_whatever_its_corners(boxes: list[tuple[float, ...]]) -> None:
    pieces = [Piece(list(zip(box[::2], box[1::2], strict=True)), f"p{number}") for number, box in enumerate(boxes)]
    assert sorted(in_rows(pieces).split()) == sorted(found.text for found in pieces)
