"""Contract §7.1 and §7.4: nothing is lost on the wire, and models and published schema refuse the same shapes."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any
from uuid import UUID

from hypothesis import event, given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.property.parsed import answered, asked
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.schemas import request_errors, response_errors
from tzzr_mcp.contract.shapes import details_of
from tzzr_mcp.contract.translation import Document, parse_request, serialise, translate
from tzzr_mocks.grace.reading import fits
from tzzr_scenarios.strategies import requests
from tzzr_scenarios.strategies.mutations import mutants
from tzzr_scenarios.strategies.values import FIRST_BYTES, files, instants, texts, traces

BEYOND_A_SCHEMA = (
    "not the digest",
    "not a day of the calendar",
    "not base64",
    "more than",
    "add up to",
    "numbers, not",
    "its norm is",
    "it ends before",
    "it starts before",
    "digits,",
    "cannot have answered with",
    "not the chain",
)
"""How the models word what no JSON Schema can say: digests, decoded sizes, sums, order, the chain."""


def _refused(model: type[Request | Response], document: object) -> list[str]:
    try:
        model.model_validate(document)
    except ValidationError as error:
        return [line["message"] for line in details_of(error)]
    return []


def _is_beyond(message: str) -> bool:
    return any(wording in message for wording in BEYOND_A_SCHEMA)


def _disputed(schema: list[dict[str, str]], models: list[str]) -> list[Any]:
    """What the schema refuses and the models let pass, or the other way round but for what no schema can say."""
    event("refused" if schema else "refused by the models alone" if models else "still valid")
    if schema:
        return [] if models else schema
    return [message for message in models if not _is_beyond(message)]


@given(asked())
def test_a_request_survives_the_wire(request: Request) -> None:
    wire = json.dumps(serialise(request), ensure_ascii=False).encode()

    assert parse_request(wire) == request
    assert request_errors(json.loads(wire)) == []


@given(st.data())
def test_models_and_schema_refuse_the_same_mutated_requests(data: st.DataObject) -> None:
    mutant = data.draw(mutants(data.draw(requests.valid())))

    assert _disputed(request_errors(mutant), _refused(Request, mutant)) == []


@given(st.data())
def test_models_and_schema_refuse_the_same_mutated_responses(data: st.DataObject) -> None:
    _, document = data.draw(answered())
    assert response_errors(document) == []
    mutant = data.draw(mutants(document))

    assert _disputed(response_errors(mutant), _refused(Response, mutant)) == []


@given(texts(200), traces(), instants())
def test_text_arrives_byte_for_byte(text: str, trace_id: UUID, timestamp: datetime) -> None:
    request = translate("detectar_idioma", {"texto": text}, trace_id=trace_id, timestamp=timestamp)
    wire: Any = json.loads(json.dumps(serialise(request)).encode())

    assert wire["payload"]["content"].encode() == text.encode()
    assert parse_request(wire).payload.octets() == text.encode()


@given(
    st.sampled_from(sorted(FIRST_BYTES)).flatmap(lambda media: st.tuples(st.just(media), files(media))),
    traces(),
    instants(),
)
def test_a_file_arrives_with_the_digest_it_left_with(file: tuple[str, bytes], trace: UUID, now: datetime) -> None:
    media_type, octets = file
    tool = "transcribir" if media_type.startswith("audio/") else "ocr"
    request = translate(tool, {"archivo": "x"}, trace_id=trace, timestamp=now, document=Document(octets))

    arrived = parse_request(json.dumps(serialise(request)))
    assert arrived.payload.octets() == octets
    assert arrived.payload.sha256 == hashlib.sha256(octets).hexdigest()


@given(st.data())
def test_the_compiled_schema_of_the_fake_accepts_what_the_published_one_accepts(data: st.DataObject) -> None:
    mutant = data.draw(mutants(data.draw(requests.valid())))

    assert fits(mutant) == (request_errors(mutant) == [])
