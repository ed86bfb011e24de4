"""The request model on its own: sizes that no pattern counts, and errors that can be read."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from pydantic import ValidationError

from tests.contract.examples_of import valid_requests
from tzzr_mcp.contract.catalogue import LIMIT_BYTES
from tzzr_mcp.contract.errors import ContractError
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.shapes import details_of
from tzzr_mcp.contract.translation import binary_payload, request_for, serialise

STRICT_SPANISH = {"lang": "es", "mode": "strict"}


def test_one_byte_more_than_the_limit_is_refused() -> None:
    payload = binary_payload("binary", bytes(LIMIT_BYTES + 1), "application/octet-stream")
    with pytest.raises(ContractError) as refused:
        request_for(
            "HASHER",
            payload,
            STRICT_SPANISH,
            trace_id=UUID(int=1, version=4),
            timestamp=datetime(2026, 1, 4, tzinfo=UTC),
        )

    assert refused.value.failure.details["errors"] == [
        {"pointer": "/payload/content", "message": "7340033 bytes, more than 7340032"}
    ]


def test_every_offence_is_listed_and_no_value_is_repeated() -> None:
    document = valid_requests()["classifier"]
    document["payload"] |= {"content": "s3cr3t", "color": "s3cr3t", "type": "s3cr3t"}
    document["context"] = {"lang": "s3cr3t", "mode": "strict"}
    with pytest.raises(ValidationError) as refused:
        Request.model_validate(document)

    told = details_of(refused.value)
    assert {error["pointer"] for error in told} == {"/context/lang", "/payload/type", "/payload/color"}
    assert "s3cr3t" not in str(told)


def test_what_is_absent_stays_absent_on_the_wire() -> None:
    request = Request.model_validate(valid_requests()["sentiment"])

    assert request.payload.params is None
    assert set(serialise(request)["payload"]) == {"type", "encoding", "content"}
