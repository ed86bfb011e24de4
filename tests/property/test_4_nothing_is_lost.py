"""Contract §7.4: text reaches the fake byte for byte, and binary content has the same digest on both sides."""

from __future__ import annotations

import base64
import hashlib
import json
import unicodedata
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.server import Spoken, talk
from tests.property.sides import side
from tests.searching import examples
from tzzr_mcp.contract.translation import Document, parse_request, serialise, translate
from tzzr_scenarios.strategies.values import FIRST_BYTES, files, instants, texts, traces

KINDS = {
    "four bytes": lambda text: any(ord(letter) > 0xFFFF for letter in text),
    "right to left": lambda text: any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text),
    "combining marks": lambda text: any(map(unicodedata.combining, text)),
    "joiners": lambda text: "\u200d" in text,
    "CRLF": lambda text: "\r\n" in text,
    "not normalised": lambda text: unicodedata.normalize("NFC", text) != text,
    "plain": str.isascii,
}
THROUGH_THE_SERVER = settings(max_examples=examples(dev=3, ci=60))
"""Each example is a world with a server of its own."""


def _tell(text: str) -> None:
    for name, is_it in KINDS.items():
        if is_it(text):
            side(name)


@pytest.mark.sides(*KINDS)
@given(texts(200), traces(), instants())
def test_text_arrives_byte_for_byte(text: str, trace_id: UUID, timestamp: datetime) -> None:
    _tell(text)
    request = translate("detectar_idioma", {"texto": text}, trace_id=trace_id, timestamp=timestamp)
    wire: Any = json.loads(json.dumps(serialise(request)).encode())

    assert wire["payload"]["content"].encode() == text.encode()
    assert parse_request(wire).payload.octets() == text.encode()


@pytest.mark.sides(*FIRST_BYTES)
@given(
    st.sampled_from(sorted(FIRST_BYTES)).flatmap(lambda media: st.tuples(st.just(media), files(media))),
    traces(),
    instants(),
)
def test_a_file_arrives_with_the_digest_it_left_with(file: tuple[str, bytes], trace: UUID, now: datetime) -> None:
    media_type, octets = file
    side(media_type)
    tool = "transcribir" if media_type.startswith("audio/") else "ocr"
    request = translate(tool, {"archivo": "x"}, trace_id=trace, timestamp=now, document=Document(octets))

    arrived = parse_request(json.dumps(serialise(request)))
    assert arrived.payload.octets() == octets
    assert arrived.payload.sha256 == hashlib.sha256(octets).hexdigest()


def _sent(spoken: Spoken) -> list[Any]:
    """The S-CONTRACT requests that reached GRACE."""
    runs = [exchange for exchange in spoken.exchanges if exchange.method == "POST"]
    return [exchange.json()["input"] for exchange in runs]


@pytest.mark.sides(*KINDS)
@THROUGH_THE_SERVER
@given(st.lists(texts(200), min_size=1, max_size=5))
def test_text_reaches_the_fake_byte_for_byte_and_its_digest_comes_back(drawn: list[str]) -> None:
    spoken = talk([("generar_hash", {"texto": text}) for text in drawn])

    for text, result in zip(drawn, spoken.results, strict=True):
        _tell(text)
        assert result.structured_content["data"]["digest"] == hashlib.sha256(text.encode()).hexdigest()
    assert {request["payload"]["content"] for request in _sent(spoken)} == set(drawn)


@pytest.mark.sides("one byte", "more bytes")
@THROUGH_THE_SERVER
@given(st.lists(st.binary(min_size=1, max_size=200), min_size=1, max_size=5))
def test_binary_content_has_the_same_digest_on_both_sides(drawn: list[bytes]) -> None:
    spoken = talk([("generar_hash", {"contenido_base64": base64.b64encode(each).decode()}) for each in drawn])

    for octets, result in zip(drawn, spoken.results, strict=True):
        side("one byte" if len(octets) == 1 else "more bytes")
        assert result.structured_content["data"]["digest"] == hashlib.sha256(octets).hexdigest()
        assert result.structured_content["data"]["size_bytes"] == len(octets)
    digests = {hashlib.sha256(octets).hexdigest() for octets in drawn}
    assert {request["payload"]["sha256"] for request in _sent(spoken)} == digests
