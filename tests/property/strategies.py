"""Hypothesis strategies for contracts: texts, parameters, requests, tools' arguments, responses, and their mutants."""

from __future__ import annotations

import base64
import copy
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tzzr_mcp.contract.arguments import SOURCES
from tzzr_mcp.contract.catalogue import (
    AMOUNT_FIELDS,
    DATE_FIELDS,
    DIGEST_SIZES,
    FIELDS,
    LANG_OR_AUTO_PATTERN,
    LANG_PATTERN,
    MEDIA_TYPES,
    MODULES,
    chain_of,
)
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.tools import INPUT_SCHEMAS
from tzzr_mcp.contract.translation import binary_payload, request_for, text_payload

Json = Any

HOSTILE = (
    "👩‍👩‍👧 familia",
    "שלום עולם",
    "e\u0301 y é",
    "línea\r\nlínea",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "a\u2028b",
    "\ufeffmarca",
    '"\\/\b',
)

STARTS = {
    "image": (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"II*\x00", b"RIFF\x04\x00\x00\x00WEBP", b"%PDF-1.7\n"),
    "audio": (b"RIFF\x04\x00\x00\x00WAVE", b"ID3\x04", b"OggS\x00", b"fLaC\x00", b"\x00\x00\x00\x20ftypM4A "),
}
"""The first bytes of a file of each media type."""


@cache
def texts(max_size: int = 60) -> st.SearchStrategy[str]:
    """Text that can be sent: any plane of Unicode, no NUL, no lone surrogate, not blank."""
    alphabet = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
    free = st.text(alphabet, min_size=1, max_size=max_size).filter(lambda text: bool(text.strip()))
    return free | st.sampled_from(HOSTILE)


langs = st.from_regex(LANG_PATTERN, fullmatch=True)
instants = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
traces = st.uuids(version=4)
ratios = st.floats(0, 1)
_langs_or_auto = langs | st.just("auto")
_octets = st.binary(min_size=1, max_size=60)


@cache
def _one_of(*values: str) -> st.SearchStrategy[str]:
    return st.sampled_from(values)


@cache
def _param(module: str, name: str) -> st.SearchStrategy[Json]:
    return of_schema(MODULES[module].param(name).schema)


def of_schema(schema: Mapping[str, Any]) -> st.SearchStrategy[Json]:
    """Values that a parameter's or an argument's schema accepts (the part of JSON Schema that they use)."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return _BY_TYPE[schema["type"]](schema)


def _string(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    if schema.get("pattern") in {LANG_PATTERN, LANG_OR_AUTO_PATTERN}:
        return st.from_regex(schema["pattern"], fullmatch=True)
    if schema.get("contentEncoding") == "base64":
        return st.binary(min_size=1, max_size=40).map(lambda octets: base64.b64encode(octets).decode())
    anything = st.text(st.characters(), min_size=1, max_size=40)
    return texts(40) if "pattern" in schema else texts() | anything


def _integer(schema: Mapping[str, Any]) -> st.SearchStrategy[int | float]:
    whole = st.integers(schema["minimum"], schema["maximum"])
    return whole | whole.map(float)


def _array(schema: Mapping[str, Any]) -> st.SearchStrategy[list[Json]]:
    most = min(schema["maxItems"], 6)
    return st.lists(of_schema(schema["items"]), min_size=schema["minItems"], max_size=most, unique=True)


_BY_TYPE: Mapping[str, Callable[[Mapping[str, Any]], st.SearchStrategy[Json]]] = {
    "string": _string,
    "integer": _integer,
    "boolean": lambda _: st.booleans(),
    "array": _array,
}


@st.composite
def params_of(draw: st.DrawFn, module: str) -> dict[str, Json]:
    """Parameters of a module: what is required, and any part of the rest."""
    params = MODULES[module].params
    return {param.name: draw(_param(module, param.name)) for param in params if param.required or draw(st.booleans())}


@st.composite
def payloads(draw: st.DrawFn, module: str) -> dict[str, Json]:
    """A payload that a module takes, with or without parameters."""
    kind = draw(_one_of(*sorted(MODULES[module].accepts)))
    if kind == "text":
        payload = text_payload(draw(texts()))
    else:
        octets = draw(_octets)
        payload = binary_payload(kind, octets, draw(_one_of(*MEDIA_TYPES[kind])))
    params = draw(params_of(module))
    return {**payload, "params": params} if params else payload


@st.composite
def requests(draw: st.DrawFn, module: str | None = None) -> Request:
    """A valid request, to `module` or to any."""
    name = module or draw(_one_of(*sorted(MODULES)))
    context = {"lang": draw(_langs_or_auto), "mode": draw(_one_of("strict", "lenient"))}
    return request_for(
        name,
        draw(payloads(name)),
        context,
        trace_id=draw(traces),
        timestamp=draw(instants),
        stream=draw(st.booleans()),
    )


@st.composite
def arguments_of(draw: st.DrawFn, tool: str) -> dict[str, Json]:
    """Arguments that a tool's schema accepts, `archivo` left out; not all of them can be translated."""
    schema = INPUT_SCHEMAS[tool]
    names = [name for name in schema["properties"] if name != "archivo"]
    needed = set(schema.get("required", ())) | {draw(st.sampled_from(SOURCES.get(tool, ("texto",))))}
    chosen = [name for name in names if name in needed or draw(st.booleans())]
    return {name: draw(_argument(tool, name)) for name in chosen}


@cache
def _argument(tool: str, name: str) -> st.SearchStrategy[Json]:
    schema = INPUT_SCHEMAS[tool]["properties"][name]
    kind = {"imagen_base64": "image", "audio_base64": "audio"}.get(name)
    return of_schema(schema) | files(kind).map(_encoded) if kind else of_schema(schema)


def files(kind: str) -> st.SearchStrategy[bytes]:
    """Bytes that begin as a file of that kind does."""
    return st.builds(bytes.__add__, st.sampled_from(STARTS[kind]), st.binary(max_size=40))


def _encoded(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


# --- responses ---------------------------------------------------------------------------------------------------


@st.composite
def responses(draw: st.DrawFn, request: Request) -> dict[str, Json]:
    """A valid response document to `request`: OK, DEGRADED or ERROR."""
    module = request.routing.module
    chain = chain_of(module)
    answered_by = draw(st.integers(0, len(chain)))
    attempts = [_failed(name) for name in chain[:answered_by]]
    document = {
        "contract_version": "2.1",
        "profile": request.profile,
        "envelope": {
            "trace_id": request.envelope.trace_id,
            "idempotency_key": request.envelope.idempotency_key,
            "timestamp": "2026-01-04T10:15:31.004Z",
        },
        "routing": {"module": module, "version": "1.0", "resolved": None, "attempts": attempts},
        "status": "ERROR",
        "result": None,
        "failure": _failed(module)["error"],
        "metrics": {"duration_ms": draw(st.integers(0, 10**6)), "simulated": True, "invented": draw(st.booleans())},
    }
    if answered_by < len(chain):
        attempts.append({"module": chain[answered_by], "status": "OK", "duration_ms": 3})
        document["routing"]["resolved"] = chain[answered_by]
        answered = {"status": "DEGRADED" if answered_by else "OK", "failure": None}
        document |= {**answered, "result": draw(results(request))}
    return document


def _failed(module: str) -> dict[str, Json]:
    error = {"code": "MODULE_UNAVAILABLE", "message": "down", "retryable": True}
    return {"module": module, "status": "ERROR", "error": error, "duration_ms": 7}


def results(request: Request) -> st.SearchStrategy[dict[str, Json]]:
    """A result that keeps §4's numeric laws and answers `request`."""
    return _RESULTS[MODULES[request.routing.module].result](request)


def _asked(request: Request, param: str) -> Json:
    return {**MODULES[request.routing.module].defaults, **(request.payload.params or {})}[param]


@st.composite
def _shares(draw: st.DrawFn, key: str, names: st.SearchStrategy[str]) -> dict[str, Json]:
    weights = draw(st.lists(st.integers(1, 1000), min_size=1, max_size=5))
    rows = [{key: draw(names), "confidence": weight / sum(weights)} for weight in weights]
    return {**rows[0], "alternatives": rows[1:]}


@st.composite
def _vectors(draw: st.DrawFn, request: Request) -> dict[str, Json]:
    size = int(_asked(request, "dimensions"))
    hot = draw(st.integers(1, size))
    vector = [1 / math.sqrt(hot) if index < hot else 0.0 for index in range(size)]
    return {"vectors": [vector], "dimensions": size, "model": "even", "normalized": True}


@st.composite
def _speech(draw: st.DrawFn) -> dict[str, Json]:
    times = sorted(draw(st.lists(st.floats(0, 3600), max_size=8)))
    pairs = zip(times[::2], times[1::2], strict=False)
    segments = [{"start_s": a, "end_s": b, "text": draw(texts(9)), "confidence": draw(ratios)} for a, b in pairs]
    return {"text": draw(st.just("") | texts()), "language": draw(langs), "duration_s": 3600.0, "segments": segments}


_page = st.fixed_dictionaries(
    {
        "page": st.integers(1, 99),
        "text": st.just("") | texts(20),
        "width_px": st.integers(1, 9999),
        "height_px": st.integers(1, 9999),
        "confidence": ratios,
    }
)
_amounts = st.decimals(-(10**9), 10**9, places=2).map(lambda amount: f"{amount:.2f}")


@st.composite
def _invoice_field(draw: st.DrawFn, length: int) -> dict[str, Json]:
    name = draw(st.sampled_from(FIELDS))
    value: st.SearchStrategy[str] = texts(20)
    if name in DATE_FIELDS:
        value = st.dates().map(lambda day: day.isoformat())
    elif name in AMOUNT_FIELDS:
        value = _amounts
    elif name == "moneda":
        value = st.just("EUR")
    span = sorted(draw(st.tuples(st.integers(0, length), st.integers(0, length))))
    return {
        "name": name,
        "value": draw(st.none() | value),
        "raw": draw(st.none() | texts(20)),
        "span": draw(st.none() | st.just(span)),
        "confidence": draw(ratios),
        "valid": draw(st.none() | st.booleans()),
    }


def _invoice(request: Request) -> st.SearchStrategy[dict[str, Json]]:
    tax = st.fixed_dictionaries({"base": st.none() | _amounts, "rate": _amounts, "amount": st.none() | _amounts})
    line = st.fixed_dictionaries(
        {"description": texts(20), "quantity": st.none() | _amounts, "unit_price": _amounts, "amount": _amounts}
    )
    fields = st.lists(_invoice_field(len(request.payload.content)), max_size=4)
    return st.fixed_dictionaries(
        {"fields": fields, "taxes": st.lists(tax, max_size=2), "lines": st.lists(line, max_size=2)}
    )


def _hash(request: Request) -> st.SearchStrategy[dict[str, Json]]:
    algorithm = _asked(request, "algorithm")
    digest = st.binary(min_size=DIGEST_SIZES[algorithm], max_size=DIGEST_SIZES[algorithm]).map(bytes.hex)
    size = len(request.payload.octets())
    return st.fixed_dictionaries({"algorithm": st.just(algorithm), "digest": digest, "size_bytes": st.just(size)})


_RESULTS: Mapping[str, Callable[[Request], st.SearchStrategy[dict[str, Json]]]] = {
    "ClassifierResult": lambda _: _shares("category", texts(20)),
    "LanguageResult": lambda _: _shares("language", langs),
    "SummarizerResult": lambda _: st.fixed_dictionaries(
        {"summary": texts(), "words": st.integers(1, 999), "compression": ratios}
    ),
    "TranslatorResult": lambda request: st.fixed_dictionaries(
        {"text": texts(), "source_lang": langs, "target_lang": st.just(_asked(request, "target_lang"))}
    ),
    "EmbeddingsResult": _vectors,
    "SentimentResult": lambda _: st.fixed_dictionaries(
        {"label": st.sampled_from(["positive", "neutral", "negative"]), "score": st.floats(-1, 1)}
    ),
    "OcrResult": lambda _: st.fixed_dictionaries(
        {
            "text": st.just("") | texts(),
            "confidence": ratios,
            "language": langs,
            "pages": st.lists(_page, min_size=1, max_size=3),
        }
    ),
    "CaptionResult": lambda _: st.fixed_dictionaries(
        {"caption": texts(), "width_px": st.integers(1, 9999), "height_px": st.integers(1, 9999)}
    ),
    "AsrResult": lambda _: _speech(),
    "TtsResult": lambda _: st.fixed_dictionaries(
        {
            "audio_base64": st.binary(min_size=1, max_size=40).map(_encoded),
            "media_type": st.just("audio/wav"),
            "duration_s": st.floats(0, 60),
        }
    ),
    "FieldsResult": _invoice,
    "HashResult": _hash,
}


# --- mutants -----------------------------------------------------------------------------------------------------

Path = tuple[str | int, ...]

strangers = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**40) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=6), inner, max_size=2),
    max_leaves=4,
)
"""Any JSON value."""


def paths(document: Json, way: Path = ()) -> list[Path]:
    """Where every value of `document` stands, itself left out."""
    items: list[tuple[str | int, Json]] = []
    if isinstance(document, dict):
        items = list(document.items())
    elif isinstance(document, list):
        items = list(enumerate(document))
    return [path for name, value in items for path in ((*way, name), *paths(value, (*way, name)))]


def changed(document: Json, path: Path, change: Callable[[Json, Any], None]) -> Json:
    """A copy of `document` on which `change(parent, name)` was done at `path`."""
    copied = copy.deepcopy(document)
    parent = copied
    for name in path[:-1]:
        parent = parent[name]
    change(parent, path[-1])
    return copied


def remove(parent: Json, name: Any) -> None:
    """Drop the value."""
    del parent[name]


def put(value: Json) -> Callable[[Json, Any], None]:
    """Set the value."""

    def change(parent: Json, name: Any) -> None:
        parent[name] = value

    return change


@st.composite
def mutants(draw: st.DrawFn, document: Json) -> Json:
    """`document` with one thing changed anywhere: dropped, replaced, bent a little, or a stranger added."""
    path = draw(st.sampled_from(paths(document)))
    kind = draw(st.sampled_from(["drop", "replace", "bend", "add"]))
    if kind == "drop":
        return changed(document, path, remove)
    if kind == "add":
        return changed(document, (*path[:-1], draw(st.text(max_size=8))), _add)
    value = document
    for name in path:
        value = value[name]
    return changed(document, path, put(draw(strangers if kind == "replace" else _bent(value))))


def _add(parent: Json, name: Any) -> None:
    if isinstance(parent, dict):
        parent[name] = 1
    else:
        parent.append(name)


def _bent(value: Json) -> st.SearchStrategy[Json]:
    if isinstance(value, bool):
        return st.just(int(value))
    if isinstance(value, str):
        tails = st.sampled_from(["\n", " ", "=", "0", "A", "\x00"])
        return st.just(value[:-1]) | tails.map(lambda tail: value + tail) | st.just(value.upper())
    if isinstance(value, int | float):
        return st.sampled_from([-value, value + 0.5, float(value), value + 10**6, str(value)])
    return st.just([]) if isinstance(value, list) else st.just({})
