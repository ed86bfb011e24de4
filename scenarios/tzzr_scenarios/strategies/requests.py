"""S-CONTRACT requests as JSON documents, as they stand in a RunPod job's ``input`` (CONTRACT §1, §3, §4)."""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from hypothesis import strategies as st

from tzzr_mcp.contract.canonical import idempotency_key
from tzzr_mcp.contract.catalogue import CONTRACT_VERSION, MEDIA_TYPES, MODULE_VERSION, MODULES
from tzzr_mcp.contract.schemas import request_errors
from tzzr_scenarios.strategies import schemas
from tzzr_scenarios.strategies.mutations import changed, mutants, put
from tzzr_scenarios.strategies.values import Json, files, langs_or_auto, texts, timestamps, traces

_FIRST = ("LANG_DETECT", "SENTIMENT", "CLASSIFIER")
NAMES = (*_FIRST, *(name for name in MODULES if name not in _FIRST))
"""The 18 modules, those with the plainest requests first: what shrinks ends there."""

_BINARY = tuple(name for name in NAMES if MODULES[name].accepts != {"text"})


@st.composite
def valid(draw: st.DrawFn, module: str | None = None) -> dict[str, Json]:
    """A request that the contract accepts, to ``module`` or to any; the idempotency key is right.

    Shape: ``{contract_version, profile, routing, context, payload, envelope}``. Parameters that equal their default are
    left out, as the server leaves them out. KeyError for a module that the catalogue does not have.
    """
    name = module or draw(st.sampled_from(NAMES))
    payload = draw(payloads(name))
    asked = {
        "contract_version": CONTRACT_VERSION,
        "profile": "FULL" if "sha256" in payload else "LITE",
        "routing": {"module": name, "version": MODULE_VERSION},
        "context": {"lang": draw(langs_or_auto()), "mode": draw(st.sampled_from(("strict", "lenient")))},
        "payload": payload,
    }
    ids: dict[str, Json] = {"trace_id": str(draw(traces())), "timestamp": draw(timestamps())}
    if draw(st.booleans()):
        ids["stream"] = True
    return {**asked, "envelope": {**ids, "idempotency_key": idempotency_key(asked)}}


@st.composite
def nearly_valid(draw: st.DrawFn, module: str | None = None) -> dict[str, Json]:
    """A request with one thing changed that the published schema refuses: ``CONTRACT_INVALID`` or a code of its own."""
    mutant: dict[str, Json] = draw(mutants(draw(valid(module))).filter(lambda document: bool(request_errors(document))))
    return mutant


@st.composite
def corrupt(draw: st.DrawFn, module: str | None = None) -> dict[str, Json]:
    """A request in profile FULL whose digest is that of other content: no schema sees it, ``PAYLOAD_CORRUPT`` tells it.

    ``module`` must take more than text.
    """
    name = module or draw(st.sampled_from(_BINARY))
    document = draw(valid(name).filter(lambda request: request["profile"] == "FULL"))
    digest = draw(st.binary(min_size=32, max_size=32).map(bytes.hex))
    other: dict[str, Json] = changed(document, ("payload", "sha256"), put(digest))
    return other


@st.composite
def payloads(draw: st.DrawFn, module: str) -> dict[str, Json]:
    """A payload that a module takes: ``{type, encoding, content, media_type?, sha256?, params?}``."""
    kind = draw(_kinds(module))
    payload = _text(draw(texts())) if kind == "text" else draw(_binary(kind))
    params = draw(params_of(module))
    return {**payload, "params": params} if params else payload


@cache
def _kinds(module: str) -> st.SearchStrategy[str]:
    accepted = MODULES[module].accepts
    return st.sampled_from([kind for kind in MEDIA_TYPES if kind in accepted])


def _text(text: str) -> dict[str, Json]:
    return {"type": "text", "encoding": "utf-8", "content": text}


@st.composite
def _binary(draw: st.DrawFn, kind: str) -> dict[str, Json]:
    media_type = draw(st.sampled_from(MEDIA_TYPES[kind]))
    octets = draw(files(media_type))
    return {
        "type": kind,
        "encoding": "base64",
        "media_type": media_type,
        "content": base64.b64encode(octets).decode(),
        "sha256": hashlib.sha256(octets).hexdigest(),
    }


@st.composite
def params_of(draw: st.DrawFn, module: str) -> dict[str, Json]:
    """Parameters of a module: what is required, and any part of the rest, none at its default."""
    chosen = [param for param in MODULES[module].params if param.required or draw(st.booleans())]
    drawn = {param.name: draw(_values(module, param.name)) for param in chosen}
    defaults = MODULES[module].defaults
    return {name: value for name, value in drawn.items() if name not in defaults or value != defaults[name]}


@cache
def _values(module: str, param: str) -> st.SearchStrategy[Json]:
    return schemas.accepted(MODULES[module].param(param).schema)
