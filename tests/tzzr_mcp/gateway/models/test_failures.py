"""Statuses and waits: which failure each is, and whether trying again may help."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from tzzr_mcp.gateway.models.failures import SENTENCES, Code, ModelError, of_status


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "MODEL_REJECTED"),
        (401, "MODEL_AUTH"),
        (402, "MODEL_QUOTA"),
        (403, "MODEL_AUTH"),
        (404, "MODEL_NOT_FOUND"),
        (408, "MODEL_TIMEOUT"),
        (413, "MODEL_REJECTED"),
        (429, "MODEL_RATE_LIMITED"),
        (500, "MODEL_DOWN"),
        (504, "MODEL_TIMEOUT"),
        (529, "MODEL_DOWN"),
    ],
)
def test_each_status_has_its_failure(status: int, code: str) -> None:
    assert of_status(status).code == code


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("-1", None), (None, None)],
)
def test_how_long_a_model_asks_to_wait_is_read_in_seconds(given: str | None, seconds: float | None) -> None:
    assert of_status(429, given).after_s == seconds


def test_every_failure_has_a_sentence_that_says_what_to_do() -> None:
    assert set(SENTENCES) == set(get_args(Code))
    for code, sentence in SENTENCES.items():
        assert re.search(r"Avise a |Espere|Vuelva a |Repita|Empiece", sentence), code


def test_trying_again_helps_unless_key_name_money_or_conversation_are_wrong() -> None:
    lasting = {code for code in SENTENCES if not ModelError(code).retryable}
    assert lasting == {"MODEL_AUTH", "MODEL_NOT_FOUND", "MODEL_QUOTA", "MODEL_REJECTED"}
