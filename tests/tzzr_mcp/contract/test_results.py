"""What no pattern says about a result: sums, norms, times, and that a text decodes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import ValidationError

from tzzr_mcp.contract.extraction import InvoiceField
from tzzr_mcp.contract.results import TOLERANCE, AsrResult, EmbeddingsResult, HashResult, TtsResult
from tzzr_mcp.contract.shapes import Growing, details_of

UNIT = [0.6, 0.8, *[0.0] * 62]
OUTSIDE = "it ends before it starts or after the recording"
OVERLAPS = "it starts before the one before it ends"


def offences(model: type[Growing], document: dict[str, Any]) -> list[tuple[str, str]]:
    """Pointer and words of everything that a model refuses in a document."""
    try:
        model.model_validate(document)
    except ValidationError as error:
        return [(each["pointer"], each["message"]) for each in details_of(error)]
    return []


def recording(*segments: tuple[float, float], seconds: float = 10.0) -> dict[str, Any]:
    told = [{"start_s": start, "end_s": end, "text": "a", "confidence": 1.0} for start, end in segments]
    return {"text": "a", "language": "es", "duration_s": seconds, "segments": told}


@pytest.mark.parametrize(
    ("segments", "told"),
    [
        ([(0.0, 4.0), (4.0, 10.0)], []),
        ([(3.0, 3.0)], []),
        ([(0.0, 10.0 + TOLERANCE)], []),
        ([(0.0, 10.0 + 2 * TOLERANCE)], [("/segments/0", OUTSIDE)]),
        ([(0.0, 1.0), (3.0, 2.0)], [("/segments/1", OUTSIDE)]),
        ([(0.0, 4.0), (3.9, 5.0), (4.8, 6.0)], [("/segments/1", OVERLAPS), ("/segments/2", OVERLAPS)]),
        ([(0.0, TOLERANCE), (0.0, 5.0)], []),
        ([(0.0, 3 * TOLERANCE), (0.0, 5.0)], [("/segments/1", OVERLAPS)]),
    ],
    ids=["one after the other", "no time at all", "to the end", "over the end", "backwards", "overlapping",
         "overlapping by a rounding", "overlapping by more"],
)  # fmt: skip
def test_segments_run_forward_within_the_recording(
    segments: list[tuple[float, float]], told: list[tuple[str, str]]
) -> None:
    assert offences(AsrResult, recording(*segments)) == told


def embedded(*vectors: list[float]) -> dict[str, Any]:
    return {"vectors": list(vectors), "dimensions": 64, "model": "m", "normalized": True}


def test_a_vector_has_the_length_that_is_told_and_the_norm_one() -> None:
    assert offences(EmbeddingsResult, embedded(UNIT, [1.0, *[0.0] * 63])) == []
    assert offences(EmbeddingsResult, embedded(UNIT, UNIT[:-1], [2 * number for number in UNIT])) == [
        ("/vectors/1", "63 numbers, not 64"),
        ("/vectors/2", "its norm is 2, not 1"),
    ]


def test_a_norm_may_miss_one_by_the_tolerance_and_no_more() -> None:
    at_the_limit = next(
        norm for norm in (1 + TOLERANCE, math.nextafter(1 + TOLERANCE, 0)) if abs(norm - 1) <= TOLERANCE
    )
    assert offences(EmbeddingsResult, embedded([at_the_limit, *[0.0] * 63])) == []
    ((_, words),) = offences(EmbeddingsResult, embedded([1 + 2 * TOLERANCE, *[0.0] * 63]))
    assert words == "its norm is 1.000002, not 1"


@pytest.mark.parametrize("text", ["A", "AAAAA", "AA=", "AAA"])
def test_speech_that_does_not_decode_is_refused_though_every_letter_is_of_the_alphabet(text: str) -> None:
    spoken = {"audio_base64": text, "media_type": "audio/wav", "duration_s": 1.0}
    assert offences(TtsResult, spoken) == [("/audio_base64", "not base64")]
    assert offences(TtsResult, {**spoken, "audio_base64": "AAA="}) == []


def test_what_kind_of_mistake_speech_makes_is_told() -> None:
    with pytest.raises(ValidationError) as refused:
        TtsResult.model_validate({"audio_base64": "A", "media_type": "audio/wav", "duration_s": 1.0})
    assert [error["type"] for error in refused.value.errors()] == ["base64"]


def test_a_digest_has_the_length_of_its_algorithm() -> None:
    digest = {"algorithm": "sha256", "digest": "a" * 64, "size_bytes": 1}
    assert offences(HashResult, digest) == []
    assert offences(HashResult, {**digest, "digest": "a" * 63}) == [("/digest", "63 digits, sha256 has 64")]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("fecha_emision", "2026-02-28", []),
        ("fecha_emision", "2026-02-30", [("/value", "not a day of the calendar")]),
        ("total", "12.50", []),
        ("moneda", "EUR", []),
        ("moneda", None, []),
    ],
)
def test_a_field_of_an_invoice_is_normalized(name: str, value: str | None, told: list[tuple[str, str]]) -> None:
    field = {"name": name, "value": value, "raw": "x", "span": [0, 1], "confidence": 1.0, "valid": None}
    assert offences(InvoiceField, field) == told


@pytest.mark.parametrize(("name", "value"), [("fecha_emision", "1/2/26"), ("total", "12,50"), ("moneda", "euro")])
def test_a_field_in_another_form_is_told_the_pattern(name: str, value: str) -> None:
    field = {"name": name, "value": value, "raw": "x", "span": None, "confidence": 1.0, "valid": None}
    pointer, words = offences(InvoiceField, field)[0]
    assert (pointer, words.partition(" ^")[0]) == ("/value", f"{name} does not match")


def test_a_span_may_be_empty_and_never_backwards() -> None:
    field = {"name": "total", "value": None, "raw": None, "span": [3, 3], "confidence": 0.0, "valid": None}
    assert offences(InvoiceField, field) == []
    assert offences(InvoiceField, {**field, "span": [4, 3]}) == [("/span", "it ends before it starts")]
