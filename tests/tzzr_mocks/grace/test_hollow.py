"""A request that lacks its content is refused like any other that lacks a part."""

from __future__ import annotations

import pytest

from tests.tzzr_mocks.grace.contracts import text_request
from tzzr_mocks.grace.engines import EngineError
from tzzr_mocks.grace.reading import read


def test_a_payload_without_content_is_an_invalid_request() -> None:
    request = text_request("CLASSIFIER")
    del request["payload"]["content"]

    with pytest.raises(EngineError) as refused:
        read(request)
    assert refused.value.code == "CONTRACT_INVALID"
    assert refused.value.details == {"errors": [{"pointer": "/payload/content", "message": "is required"}]}
