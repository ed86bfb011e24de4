"""The fake's OpenAPI document: the routes of both APIs that it plays, as far as it plays them."""

from __future__ import annotations

from tzzr_mocks.llm.specs import completions, messages, models
from tzzr_mocks.openapi import Json


def document() -> Json:
    """The document. Planned faults answer in ways that are not told in it."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "A language model, faked",
            "version": "1",
            "description": "OpenAI's chat completions and Anthropic's messages, by a model that costs nothing.",
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}, {"key": []}],
        "paths": {**completions.paths(), **messages.paths(), **models.paths()},
        "components": {
            "schemas": {**completions.schemas(), **messages.schemas(), **models.schemas()},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
    }
