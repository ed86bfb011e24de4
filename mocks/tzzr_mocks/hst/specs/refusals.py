"""The answers other than success that operations refer to, and the envelope of all of them."""

from __future__ import annotations

from typing import Final

from tzzr_mocks.openapi import STRING, Json, answer, listed, named, record

_TOLD: Final = {
    400: "What is wrong with the query or the body.",
    401: "The token opens nothing, or its time is over.",
    403: "It does not exist, or may not be used.",
    404: "There is no such route.",
    429: "Too many requests.",
    500: "Directus does not look at this, and stumbles over it.",
    501: "A real Directus answers this, the fake does not.",
    503: "The server is under pressure.",
}
_EXTENSIONS: Final[Json] = {"type": "object", "properties": {"code": STRING}, "required": ["code"]}
REFUSAL: Final = record({"errors": listed(record({"message": STRING, "extensions": _EXTENSIONS}))}, closed=True)


def refusals() -> Json:
    """The components."""
    return {f"Refused{status}": answer(told, named("Refusal")) for status, told in _TOLD.items()}


def refused(*statuses: int) -> Json:
    """The answers of these statuses, and of those that any route may give: settings bring 429 and 503."""
    return {str(status): named(f"Refused{status}", "responses") for status in sorted({401, 403, 429, 503, *statuses})}
