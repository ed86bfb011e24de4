"""An answer in parts: believed piece by piece, from the first on, and never a foreign one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.errors import ContractError
from tzzr_mcp.contract.parts import Parts
from tzzr_mcp.contract.results import RESULTS
from tzzr_mcp.contract.schemas import errors_of
from tzzr_mcp.contract.translation import parse_request, readdressed, serialise, translate

TRACE = "0f8fad5b-d9cb-469f-a165-70867728950e"
OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
NOW = datetime(2026, 1, 4, 10, tzinfo=UTC)


def part(number: int, text: str = "x", trace_id: str = TRACE) -> dict[str, Any]:
    return {"trace_id": trace_id, "part": number, "text": text}


@given(st.lists(st.text(min_size=1)))
def test_the_pieces_joined_are_the_text(pieces: list[str]) -> None:
    parts = Parts(TRACE)
    told = "".join(parts.text_of(part(number, text)) for number, text in enumerate(pieces))
    assert told == "".join(pieces)


@pytest.mark.parametrize(
    "wrong",
    [part(2, "hueco"), part(0, "de nuevo"), part(1, "ajena", OTHER)],
    ids=["a gap", "a new beginning", "foreign"],
)
def test_after_a_piece_that_does_not_follow_nothing_more_is_told(wrong: dict[str, Any]) -> None:
    parts = Parts(TRACE)
    assert parts.text_of(part(0, "uno ")) == "uno "
    assert parts.text_of(wrong) == ""
    assert parts.text_of(part(1, "dos")) == ""


@pytest.mark.parametrize("item", [None, "texto", [], {"text": "x"}, {**part(0), "text": ""}, {**part(0), "part": -1}])
def test_what_is_no_part_says_nothing_and_ends_nothing(item: object) -> None:
    parts = Parts(TRACE)
    assert parts.text_of(item) == ""
    assert parts.text_of(part(0, "uno")) == "uno"


def test_a_lone_surrogate_never_reaches_a_message() -> None:
    assert Parts(TRACE).text_of(part(0, "a\ud800b")) == ""


def test_asking_for_parts_changes_nothing_of_what_is_asked() -> None:
    plain, streamed = (
        translate("resumir", {"texto": "hola"}, trace_id=UUID(TRACE), timestamp=NOW, stream=stream)
        for stream in (False, True)
    )
    assert streamed.envelope.idempotency_key == plain.envelope.idempotency_key
    wire = serialise(streamed)
    assert wire["envelope"].pop("stream") is True
    assert wire == serialise(plain)


@pytest.mark.parametrize("value", [None, 1, "true"])
def test_whether_parts_are_asked_for_is_a_boolean(value: object) -> None:
    wire = serialise(translate("resumir", {"texto": "hola"}, trace_id=UUID(TRACE), timestamp=NOW, stream=True))
    assert errors_of("request", wire) == []
    assert parse_request(wire).envelope.stream is True
    wire["envelope"]["stream"] = value
    assert {error["pointer"] for error in errors_of("request", wire)} == {"/envelope/stream"}
    with pytest.raises(ContractError):
        parse_request(wire)


def test_the_servers_own_fallback_asks_for_parts_as_the_call_did() -> None:
    request = translate(
        "ocr",
        {"imagen_base64": "iVBORw0KGgoAAAANSUhEUg==", "tipo_mime": "image/png"},
        trace_id=UUID(TRACE),
        timestamp=NOW,
        stream=True,
    )
    assert readdressed(request, "OCR_GROQ", timestamp=NOW).envelope.stream is True


def test_the_long_text_of_a_module_is_a_text_of_its_result() -> None:
    written = {module.name: module.written for module in MODULES.values() if module.written}
    assert {"SUMMARIZER", "TRANSLATOR", "OCR_CORE", "OCR_LOCAL", "ASR_ENGINE", "ASR_GROQ"} <= set(written)
    for name, field in written.items():
        assert RESULTS[name].model_fields[field].annotation is str
