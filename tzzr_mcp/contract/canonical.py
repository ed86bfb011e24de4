"""The canonical form of a contract (RFC 8785, JCS) and the idempotency key made from it (contract §1)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import rfc8785

from tzzr_mcp.contract.catalogue import MODULES

if TYPE_CHECKING:
    from tzzr_mcp.contract.request import Request


def canonical(value: Any) -> bytes:
    """The one JSON text of `value` (dicts, lists, strings, numbers, booleans, None), as UTF-8.

    ValueError when there is none: NaN, infinities, integers beyond 2^53, lone surrogates, keys that are no strings.
    """
    return rfc8785.dumps(value)


def idempotency_key(request: Request | Mapping[str, Any]) -> str:
    """SHA-256 (64 hex digits) of what a request asks for, whenever, wherever and however often it is asked.

    The envelope is left out, and so is a parameter equal to its default: the same question has the same key.
    """
    document = request if isinstance(request, Mapping) else request.model_dump(exclude_none=True)
    question = {name: document[name] for name in ("contract_version", "profile", "routing", "context")}
    payload = without_defaults(document["routing"]["module"], document["payload"])
    return hashlib.sha256(canonical({**question, "payload": payload})).hexdigest()


def without_defaults(module: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """`payload` without the parameters that say what leaving them out says; without `params` when none is left."""
    defaults = MODULES[module].defaults if module in MODULES else {}
    given = payload.get("params", {})
    params = {name: value for name, value in given.items() if name not in defaults or value != defaults[name]}
    rest = {name: value for name, value in payload.items() if name != "params"}
    return {**rest, "params": params} if params else rest
