"""The request of S-CONTRACT v2.1: frozen, strict models, and the rules that no JSON Schema can say (contract §1)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, ValidationError, model_validator

from tzzr_mcp.contract.catalogue import (
    BASE64_PATTERN,
    LIMIT_BASE64,
    LIMIT_BYTES,
    MEDIA_TYPES,
    MODULES,
    TEXT_PATTERN,
)
from tzzr_mcp.contract.params import PARAMS
from tzzr_mcp.contract.shapes import (
    Absent,
    Hex64,
    LangOrAuto,
    ModuleName,
    OneOf,
    Strict,
    Timestamp,
    Uuid4,
    Violation,
    refuse,
    violations_of,
)

_TEXT: Final = re.compile(TEXT_PATTERN)
_BASE64: Final = re.compile(BASE64_PATTERN)
_EVERY_MEDIA_TYPE: Final = tuple(media for types in MEDIA_TYPES.values() for media in types)


class Envelope(Strict):
    """The ids of a request, and when it was made."""

    trace_id: Uuid4 = Field(description="One per MCP tool call, the same over its retries and fallbacks")
    idempotency_key: Hex64 = Field(description="SHA-256 of the JCS form of what is asked, without ids and time")
    timestamp: Timestamp = Field(description="RFC 3339, UTC, milliseconds")
    stream: Annotated[bool | None, Absent()] = Field(
        default=None, description="The answer may come in parts; it changes nothing of what is asked"
    )


class Routing(Strict):
    """Who is to answer."""

    module: ModuleName
    version: Literal["1.0"]


class Context(Strict):
    """How the content is to be read."""

    lang: LangOrAuto = Field(description="BCP 47 primary subtag, or auto")
    mode: Literal["strict", "lenient"]


class Payload(Strict):
    """The content. `media_type`, `params` and `sha256` are absent where the rules leave them out, never null."""

    type: Annotated[str, OneOf(tuple(MEDIA_TYPES))]
    encoding: Literal["utf-8", "base64"]
    content: str = Field(min_length=1, max_length=LIMIT_BASE64)
    media_type: Annotated[Annotated[str, OneOf(_EVERY_MEDIA_TYPE)] | None, Absent()] = None
    params: Annotated[Annotated[dict[str, Any], Field(min_length=1)] | None, Absent()] = None
    sha256: Annotated[Hex64 | None, Absent()] = Field(
        default=None, description="Digest of the decoded bytes; profile FULL only"
    )

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        refuse("Payload", _text_rules(self) if self.type == "text" else _binary_rules(self))
        return self

    def octets(self) -> bytes:
        """The decoded content."""
        return self.content.encode() if self.type == "text" else base64.b64decode(self.content, validate=True)


def _text_rules(payload: Payload) -> Iterator[Violation]:
    if payload.encoding != "utf-8":
        yield ("encoding",), "text is sent as utf-8"
    if payload.media_type is not None:
        yield ("media_type",), "text has no media type"
    if not _TEXT.search(payload.content):
        yield ("content",), "blank text, NUL or a lone surrogate"
    else:
        yield from _byte_rules(payload, payload.octets())


def _binary_rules(payload: Payload) -> Iterator[Violation]:
    if payload.encoding != "base64":
        yield ("encoding",), f"{payload.type} is sent as base64"
    if payload.media_type not in MEDIA_TYPES[payload.type]:
        yield ("media_type",), f"{payload.type} takes one of {', '.join(MEDIA_TYPES[payload.type])}"
    if not _BASE64.search(payload.content):
        yield ("content",), "not base64 (standard alphabet, padded, no line breaks)"
        return
    try:
        octets = payload.octets()
    except binascii.Error:
        yield ("content",), "not base64 (standard alphabet, padded, no line breaks)"
    else:
        yield from _byte_rules(payload, octets)


def _byte_rules(payload: Payload, octets: bytes) -> Iterator[Violation]:
    if len(octets) > LIMIT_BYTES:
        yield ("content",), f"{len(octets)} bytes, more than {LIMIT_BYTES}"
    if payload.sha256 is not None and hashlib.sha256(octets).hexdigest() != payload.sha256:
        yield ("sha256",), "not the digest of the content"


class Request(Strict):
    """One request to GRACE, whole and consistent."""

    contract_version: Literal["2.1"]
    profile: Literal["LITE", "FULL"] = Field(description="FULL adds payload.sha256; all but text is FULL")
    envelope: Envelope
    routing: Routing
    context: Context
    payload: Payload

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        refuse("Request", [*_profile_rules(self), *_module_rules(self), *_params_rules(self)])
        return self


def _profile_rules(request: Request) -> Iterator[Violation]:
    payload = request.payload
    if payload.type != "text" and request.profile != "FULL":
        yield ("profile",), f"{payload.type} is sent with profile FULL"
    if request.profile == "FULL" and payload.sha256 is None:
        yield ("payload", "sha256"), "required by profile FULL"
    if request.profile == "LITE" and payload.sha256 is not None:
        yield ("payload", "sha256"), "profile LITE has no sha256"


def _module_rules(request: Request) -> Iterator[Violation]:
    module = MODULES[request.routing.module]
    if request.payload.type not in module.accepts:
        yield ("payload", "type"), f"{module.name} takes {', '.join(sorted(module.accepts))}"


def _params_rules(request: Request) -> Iterator[Violation]:
    name, params = request.routing.module, request.payload.params
    model = PARAMS.get(name)
    if model is None:
        if params is not None:
            yield ("payload", "params"), f"{name} takes no parameters"
    elif params is not None:
        yield from _refused_params(name, params)
    elif any(param.required for param in MODULES[name].params):
        yield ("payload", "params"), f"required by {name}"


def _refused_params(name: str, params: dict[str, Any]) -> list[Violation]:
    try:
        PARAMS[name].model_validate(params)
    except ValidationError as error:
        return violations_of(error, ("payload", "params"))
    return []
