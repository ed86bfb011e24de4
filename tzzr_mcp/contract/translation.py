"""From a tool's Spanish arguments to S-CONTRACT v2.1, and from and to the wire (seed §3.2, contract §5)."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from pydantic import ValidationError

from tzzr_mcp.contract.arguments import check_size, check_strings, decoded, media_type_of, source_of
from tzzr_mcp.contract.canonical import idempotency_key, without_defaults
from tzzr_mcp.contract.catalogue import CONTRACT_VERSION, MODULE_VERSION, module_of
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.shapes import details_of
from tzzr_mcp.contract.tools import INPUT_SCHEMAS, STYLES

PARAM_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "categorias": "categories",
        "max_palabras": "max_words",
        "formato": "style",
        "paginas": "pages",
        "marcas_de_tiempo": "timestamps",
        "idioma_destino": "target_lang",
        "campos": "fields",
        "dimensiones": "dimensions",
        "algoritmo": "algorithm",
    }
)
"""A tool's argument to the module's parameter that it becomes."""

_LANG_ARGUMENTS: Final = ("idioma", "idioma_origen")


@dataclass(frozen=True, slots=True)
class Document:
    """A file that the server has read for `archivo`; without `media_type` its first bytes tell it."""

    content: bytes
    media_type: str | None = None


def translate(
    tool: str,
    arguments: Mapping[str, Any],
    *,
    trace_id: UUID,
    timestamp: datetime,
    document: Document | None = None,
    stream: bool = False,
) -> Request:
    """The request that a tool call becomes; `arguments` have passed the tool's schema (`INPUT_SCHEMAS`).

    `document` is the content of `archivo`; `stream` asks for the answer in parts. Raises ArgumentInvalid for what a schema cannot say, ContractError
    (CONTRACT_INVALID) for whatever else the contract refuses. KeyError for a tool that is not GRACE's.
    """
    module = module_of(tool)
    source = source_of(tool, arguments)
    check_strings({name: value for name, value in arguments.items() if not name.endswith("_base64")})
    payload = _text(arguments[source]) if source == "texto" else _binary(tool, source, arguments, document)
    return request_for(
        module.name,
        {**payload, "params": _params(arguments)},
        {"lang": _lang(tool, arguments), "mode": arguments.get("modo", "strict")},
        trace_id=trace_id,
        timestamp=timestamp,
        stream=stream,
    )


def request_for(
    module: str,
    payload: Mapping[str, Any],
    context: Mapping[str, str],
    *,
    trace_id: UUID,
    timestamp: datetime,
    stream: bool = False,
) -> Request:
    """A request to `module`: `payload` and `context` as on the wire (see `text_payload`, `binary_payload`).

    `timestamp` must be aware; `stream` asks for the answer in parts. Parameters equal to their default are dropped. Raises ContractError (CONTRACT_INVALID).
    """
    asked: dict[str, Any] = {
        "contract_version": CONTRACT_VERSION,
        "profile": "FULL" if "sha256" in payload else "LITE",
        "routing": {"module": module, "version": MODULE_VERSION},
        "context": dict(context),
        "payload": without_defaults(module, payload),
    }
    ids: dict[str, Any] = {"trace_id": str(trace_id), "timestamp": instant(timestamp)}
    if stream:
        ids["stream"] = True
    return _validated({**asked, "envelope": {**ids, "idempotency_key": _key(asked)}})


def readdressed(request: Request, module: str, *, timestamp: datetime) -> Request:
    """The same question, under the same trace, to another module (the server's own fallback, contract §3)."""
    wire = serialise(request)
    ids = request.envelope
    return request_for(
        module,
        wire["payload"],
        wire["context"],
        trace_id=UUID(ids.trace_id),
        timestamp=timestamp,
        stream=ids.stream is True,
    )


def text_payload(text: str) -> dict[str, Any]:
    """The payload of `text`, sent as received."""
    return {"type": "text", "encoding": "utf-8", "content": text}


def binary_payload(kind: str, octets: bytes, media_type: str) -> dict[str, Any]:
    """The payload of `octets` as an image, audio or binary, with its digest (profile FULL)."""
    return {
        "type": kind,
        "encoding": "base64",
        "media_type": media_type,
        "content": base64.b64encode(octets).decode("ascii"),
        "sha256": hashlib.sha256(octets).hexdigest(),
    }


def instant(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds and Z; ValueError when `moment` has no zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone: give an aware datetime")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def serialise(request: Request) -> dict[str, Any]:
    """The request as JSON on the wire; `parse_request` is its inverse."""
    return request.model_dump(exclude_none=True)


def parse_request(raw: bytes | str | Mapping[str, Any]) -> Request:
    """The request that `raw` says, its idempotency key checked.

    Raises ContractError: CONTRACT_VERSION_UNSUPPORTED for another version, CONTRACT_INVALID (with the JSON Pointer
    of each offence) for the rest.
    """
    document = _loaded(raw) if isinstance(raw, bytes | str) else dict(raw)
    version = document.get("contract_version") if isinstance(document, dict) else None
    if isinstance(version, str) and version != CONTRACT_VERSION:
        message = f"La versión {version[:20]} de S-CONTRACT no está admitida; se acepta la {CONTRACT_VERSION}."
        raise ContractError(Failure.of(Code.CONTRACT_VERSION_UNSUPPORTED, message, supported=[CONTRACT_VERSION]))
    request = _validated(document)
    if request.envelope.idempotency_key != idempotency_key(request):
        raise _invalid([{"pointer": "/envelope/idempotency_key", "message": "not the digest of what is asked"}])
    return request


def _loaded(raw: bytes | str) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise _invalid([{"pointer": "", "message": "not JSON"}]) from error


def _validated(document: Any) -> Request:
    try:
        return Request.model_validate(document)
    except ValidationError as error:
        raise _invalid(details_of(error)) from error


def _invalid(errors: list[dict[str, Any]]) -> ContractError:
    where = errors[0]["pointer"] or "/"
    message = f"La petición no cumple S-CONTRACT {CONTRACT_VERSION} (en {where}); revise los argumentos de la llamada."
    return ContractError(Failure.of(Code.CONTRACT_INVALID, message, errors=errors))


def _key(asked: Mapping[str, Any]) -> str:
    try:
        return idempotency_key(asked)
    except ValueError:
        # What has no canonical form is refused by the model, which says where.
        return "0" * 64


def _text(text: str) -> dict[str, Any]:
    check_size("texto", len(text.encode()))
    return text_payload(text)


def _binary(tool: str, source: str, arguments: Mapping[str, Any], document: Document | None) -> dict[str, Any]:
    octets, declared = _content(source, arguments, document)
    if tool == "generar_hash":
        return binary_payload("binary", octets, "application/octet-stream")
    (kind,) = module_of(tool).accepts
    return binary_payload(kind, octets, media_type_of(kind, source, octets, declared))


def _content(source: str, arguments: Mapping[str, Any], document: Document | None) -> tuple[bytes, str | None]:
    declared: str | None = arguments.get("tipo_mime")
    if source != "archivo":
        return decoded(source, arguments[source]), declared
    if document is None:
        raise ValueError("archivo was given without the document that it names")
    check_size(source, len(document.content))
    return document.content, declared or document.media_type


def _params(arguments: Mapping[str, Any]) -> dict[str, Any]:
    given = {PARAM_OF[name]: _plain(value) for name, value in arguments.items() if name in PARAM_OF}
    return {name: STYLES[value] if name == "style" else value for name, value in given.items()}


def _plain(value: Any) -> Any:
    # JSON Schema takes 3.0 for an integer; it goes out as 3.
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _lang(tool: str, arguments: Mapping[str, Any]) -> str:
    properties = INPUT_SCHEMAS[tool]["properties"]
    name = next((name for name in _LANG_ARGUMENTS if name in properties), None)
    if name is not None:
        return str(arguments.get(name, properties[name]["default"]))
    return "auto" if tool == "detectar_idioma" else "es"
