"""The published JSON Schemas of S-CONTRACT v2.1, for whoever does not share our models (the fakes, first of all)."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

NAMES: Final = ("request", "response", "part")
"""What can be loaded: one file `NAME.schema.json` each."""


@cache
def load(name: str) -> dict[str, Any]:
    """The published schema called `name`, one of `NAMES`. Shared: read it, do not change it."""
    text = files(__package__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


@cache
def validator(name: str) -> Draft202012Validator:
    """The compiled schema called `name`, made at its first use."""
    # jsonschema takes longer to import than the server takes to answer its first request.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator(load(name))


def request_errors(document: object) -> list[dict[str, str]]:
    """What is wrong with a request: `{pointer, message}` each (CONTRACT_INVALID's `details.errors`), [] when nothing.

    The pointer of a missing or unknown field is the field's own. Offending values are never repeated.
    """
    return errors_of("request", document)


def response_errors(document: object) -> list[dict[str, str]]:
    """What is wrong with a response, as `request_errors` tells it."""
    return errors_of("response", document)


def errors_of(name: str, document: object) -> list[dict[str, str]]:
    """Every error of `document` against the schema called `name`, ordered by pointer, each once."""
    found = {told for error in validator(name).iter_errors(document) for told in _told(error)}
    return [{"pointer": pointer, "message": message} for pointer, message in sorted(found)]


def _told(error: ValidationError) -> list[tuple[str, str]]:
    if error.context:
        # anyOf: the branch for null says nothing; the other one says where the mistake is.
        return [told for inner in error.context if inner.validator_value != "null" for told in _told(inner)]
    place = _pointer(error.absolute_path)
    fields: Any = error.instance
    value: Any = error.validator_value
    schema: Any = error.schema
    if error.validator == "required":
        return [(f"{place}{_pointer([name])}", "is required") for name in value if name not in fields]
    if error.validator == "additionalProperties":
        unknown = [name for name in fields if name not in schema["properties"]]
        return [(f"{place}{_pointer([name])}", "is not a field of the contract") for name in unknown]
    return [(place, _message(error))]


def _message(error: ValidationError) -> str:
    value = error.validator_value
    shown = ", ".join(map(str, value)) if isinstance(value, list) else value
    return WORDING[str(error.validator)].format(value=shown)


WORDING: Final = {
    "not": "is not accepted here",
    "enum": "must be one of {value}",
    "const": "must be {value}",
    "type": "must be of type {value}",
    "pattern": "must match {value}",
    "minLength": "must have at least {value} characters",
    "maxLength": "must have at most {value} characters",
    "minItems": "must have at least {value} items",
    "maxItems": "must have at most {value} items",
    "minProperties": "must have at least {value} fields",
    "uniqueItems": "must not repeat an item",
    "minimum": "must be at least {value}",
    "maximum": "must be at most {value}",
}
"""What is said of a value that breaks a keyword of the published schemas."""


def _pointer(path: Any) -> str:
    return "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in path)
