"""From what GRACE returned to a response that can be trusted, or a typed error (contract §2 and §4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.shapes import Violation, pointer, violations_of

TOLD: Final = 20
"""How many of a bad response's errors `details.errors` lists."""


def parse_response(raw: object, request: Request) -> Response:
    """The response in `raw` (decoded JSON), held against the request that it must answer.

    Raises ContractError and nothing else, whatever `raw` is: GRACE_BAD_RESPONSE when it is not a response that §2
    and §4 allow, CONTRACT_MISMATCH when it answers something else.
    """
    response = _validated(_json(raw))
    if response.routing.module not in MODULES:
        # Of a request that named none, or one that there is not: ours was garbled on its way.
        raise _bad([(("routing", "module"), "not a module of the catalogue")])
    if differences := list(_foreign(response, request)):
        raise _mismatch(differences)
    if violations := list(_against(request, response)):
        raise _bad(violations)
    return response


def _json(raw: object) -> object:
    # Lone surrogates and NaN hide in fields that the models ignore, and would break what is written from here.
    try:
        json.dumps(raw, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise _bad([((), "not JSON")]) from error
    return raw


def _validated(raw: object) -> Response:
    try:
        return Response.model_validate(raw)
    except ValidationError as error:
        raise _bad(violations_of(error)) from error


def _foreign(response: Response, request: Request) -> Iterator[dict[str, str]]:
    pairs = {
        "envelope.trace_id": (request.envelope.trace_id, response.envelope.trace_id),
        "envelope.idempotency_key": (request.envelope.idempotency_key, response.envelope.idempotency_key),
        "routing.module": (request.routing.module, response.routing.module),
        "profile": (request.profile, response.profile),
    }
    for field, (expected, got) in pairs.items():
        if expected != got:
            yield {"field": field, "expected": expected, "got": got}


def _against(request: Request, response: Response) -> Iterator[Violation]:
    law = _LAWS.get(request.routing.module)
    if law is not None and response.result is not None:
        yield from (((("result", *where)), message) for where, message in law(request, response.result))


def _asked(request: Request, param: str) -> Any:
    return {**MODULES[request.routing.module].defaults, **(request.payload.params or {})}[param]


def _translated_to_what_was_asked(request: Request, result: Mapping[str, Any]) -> Iterator[Violation]:
    asked = _asked(request, "target_lang")
    if result["target_lang"] != asked:
        yield ("target_lang",), f"{asked} was asked for"


def _as_long_as_was_asked(request: Request, result: Mapping[str, Any]) -> Iterator[Violation]:
    asked = _asked(request, "dimensions")
    if result["dimensions"] != asked:
        yield ("dimensions",), f"{asked} was asked for"


def _hashed_as_was_asked(request: Request, result: Mapping[str, Any]) -> Iterator[Violation]:
    asked = _asked(request, "algorithm")
    if result["algorithm"] != asked:
        yield ("algorithm",), f"{asked} was asked for"
    if result["size_bytes"] != len(request.payload.octets()):
        yield ("size_bytes",), "not the size of the content"


def _within_the_text(request: Request, result: Mapping[str, Any]) -> Iterator[Violation]:
    length = len(request.payload.content)
    for index, field in enumerate(result["fields"]):
        if field["span"] is not None and field["span"][1] > length:
            yield ("fields", index, "span"), f"it ends after the text, which has {length} characters"


_LAWS: Final[Mapping[str, Callable[[Request, Mapping[str, Any]], Iterator[Violation]]]] = {
    "TRANSLATOR": _translated_to_what_was_asked,
    "EMBEDDINGS": _as_long_as_was_asked,
    "HASHER": _hashed_as_was_asked,
    "FIELD_EXTRACTOR": _within_the_text,
}
"""What a result owes to its request, beyond its own shape."""


def _bad(violations: list[Violation]) -> ContractError:
    errors = [{"pointer": pointer(location), "message": message} for location, message in violations[:TOLD]]
    message = (
        "GRACE devolvió una respuesta que no cumple el contrato y se ha descartado; vuelva a intentarlo más tarde."
    )
    return ContractError(Failure.of(Code.GRACE_BAD_RESPONSE, message, errors=errors))


def _mismatch(differences: list[dict[str, str]]) -> ContractError:
    message = "GRACE devolvió la respuesta a otra petición y se ha descartado; avise a quien administra el servicio."
    return ContractError(Failure.of(Code.CONTRACT_MISMATCH, message, differences=differences))
