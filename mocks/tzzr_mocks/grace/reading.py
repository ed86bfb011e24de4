"""Reads an S-CONTRACT request as GRACE does: by the published schema, then what a schema cannot say (CONTRACT §1, §2)."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tzzr_mcp.contract import schemas
from tzzr_mcp.contract.catalogue import CONTRACT_VERSION, LIMIT_BYTES, MODULES, Module
from tzzr_mocks.control.names import nearest
from tzzr_mocks.fitting import Fits, fitting
from tzzr_mocks.grace.engines import EngineError, Work


@dataclass(frozen=True)
class Request:
    """A request that GRACE accepts, its payload decoded."""

    document: Mapping[str, Any]
    module: Module
    content: str | bytes
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def mode(self) -> str:
        """``strict`` or ``lenient``."""
        return str(self.document["context"]["mode"])

    @property
    def key(self) -> str:
        """The idempotency key."""
        return str(self.document["envelope"]["idempotency_key"])

    @property
    def trace_id(self) -> str:
        """The trace id."""
        return str(self.document["envelope"]["trace_id"])

    def work(self, module: str) -> Work:
        """What the engine of a leaf module is given."""
        context, payload = self.document["context"], self.document["payload"]
        return Work(module, context["lang"], context["mode"], self.content, payload.get("media_type"), self.params)


def read(document: Any) -> Request:
    """The request that a job's input is.

    Raises:
        EngineError: CONTRACT_VERSION_UNSUPPORTED, MODULE_UNKNOWN, PAYLOAD_UNSUPPORTED, PAYLOAD_TOO_LARGE,
            PAYLOAD_CORRUPT, PARAMS_INVALID or CONTRACT_INVALID, looked for in this order.
    """
    _check_version(document)
    module = _module(_at(document, "routing", "module"))
    if module is not None:
        _check_support(module, _at(document, "payload", "type"), _at(document, "payload", "media_type"))
    _check_size(_at(document, "payload", "type"), _at(document, "payload", "content"))
    _check_schema(document)
    payload = document["payload"]
    content = payload["content"] if payload["type"] == "text" else _decoded(payload["content"])
    _check_digest(payload.get("sha256"), content)
    return Request(document, MODULES[document["routing"]["module"]], content, payload.get("params", {}))


def _at(document: Any, *path: str) -> Any:
    for name in path:
        document = document.get(name) if isinstance(document, dict) else None
    return document


def _check_version(document: Any) -> None:
    version = _at(document, "contract_version")
    if isinstance(version, str) and version != CONTRACT_VERSION:
        raise EngineError(
            "CONTRACT_VERSION_UNSUPPORTED",
            f"contract version {version[:20]!r} is not spoken here, {CONTRACT_VERSION} is",
            {"supported": [CONTRACT_VERSION]},
        )


def _module(name: Any) -> Module | None:
    if not isinstance(name, str):
        return None
    if name not in MODULES:
        near = nearest(name, MODULES)
        hint = f"; the nearest is {near}" if near else ""
        raise EngineError("MODULE_UNKNOWN", f"there is no module {name[:60]!r}{hint}", {"module": name})
    return MODULES[name]


def _check_support(module: Module, kind: Any, media_type: Any) -> None:
    if isinstance(kind, str) and kind not in module.accepts:
        accepted = sorted(module.accepts)
        message = f"{module.name} takes {', '.join(accepted)}, not {kind[:20]!r}"
        raise EngineError("PAYLOAD_UNSUPPORTED", message, {"accepted": accepted})
    if isinstance(media_type, str) and kind != "text" and media_type not in module.media_types:
        accepted = list(module.media_types)
        message = f"{module.name} does not take media type {media_type[:60]!r}"
        raise EngineError("PAYLOAD_UNSUPPORTED", message, {"accepted": accepted})


def _check_size(kind: Any, content: Any) -> None:
    if not isinstance(content, str):
        return
    size = (
        len(content.encode("utf-8", "replace")) if kind == "text" else 3 * len(content) // 4 - content[-2:].count("=")
    )
    if size > LIMIT_BYTES:
        details = {"limit_bytes": LIMIT_BYTES, "size_bytes": size}
        raise EngineError("PAYLOAD_TOO_LARGE", f"{size} bytes are more than the {LIMIT_BYTES} allowed", details)


@cache
def _compiled() -> Fits:
    return fitting(schemas.load("request"))


def fits(document: Any) -> bool:
    """Whether ``document`` fits the published schema, by its compiled form."""
    return _compiled()(document)


def _check_schema(document: Any) -> None:
    errors = [] if fits(document) else schemas.request_errors(document)
    if not errors:
        return
    pointers = [error["pointer"] for error in errors]
    if all(pointer.startswith("/payload/params") for pointer in pointers):
        raise EngineError("PARAMS_INVALID", _told(errors), {"errors": errors})
    if set(pointers) == {"/payload/content"} and _is_broken_base64(document):
        raise EngineError("PAYLOAD_CORRUPT", "the payload is not base64")
    raise EngineError("CONTRACT_INVALID", _told(errors), {"errors": errors})


def _told(errors: list[dict[str, str]]) -> str:
    return "; ".join(f"{error['pointer'] or '/'} {error['message']}" for error in errors[:5])


def _is_broken_base64(document: Any) -> bool:
    content = _at(document, "payload", "content")
    return _at(document, "payload", "encoding") == "base64" and isinstance(content, str) and bool(content)


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error as error:
        raise EngineError("PAYLOAD_CORRUPT", f"the payload is not base64: {error}") from None


def _check_digest(declared: str | None, content: str | bytes) -> None:
    octets = content.encode() if isinstance(content, str) else content
    if declared is not None and hashlib.sha256(octets).hexdigest() != declared:
        raise EngineError("PAYLOAD_CORRUPT", "the payload is not what its sha256 says")
