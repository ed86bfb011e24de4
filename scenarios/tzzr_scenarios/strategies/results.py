"""What each module returns, within the numeric laws of CONTRACT §4 and answering the request that is given."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping

from hypothesis import strategies as st

from tzzr_mcp.contract.catalogue import AMOUNT_FIELDS, DATE_FIELDS, DIGEST_SIZES, FIELDS, MODULES
from tzzr_scenarios.strategies.values import Json, amounts, files, langs, ratios, texts

Request = Mapping[str, Json]
"""A request as `requests.valid` draws it."""


def valid(request: Request) -> st.SearchStrategy[dict[str, Json]]:
    """A result that keeps §4's laws and answers ``request``: its target language, dimensions, algorithm, size, spans.

    The shape is that of the module in ``routing.module``: one of the response schema's ``$defs``.
    """
    return _RESULTS[MODULES[request["routing"]["module"]].result](request)


def _asked(request: Request, param: str) -> Json:
    return {**MODULES[request["routing"]["module"]].defaults, **request["payload"].get("params", {})}[param]


def _empty_or_text(max_size: int = 60) -> st.SearchStrategy[str]:
    return st.just("") | texts(max_size)


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
    segments = [{"start_s": a, "end_s": b, "text": draw(texts(9)), "confidence": draw(ratios())} for a, b in pairs]
    return {"text": draw(_empty_or_text()), "language": draw(langs()), "duration_s": 3600.0, "segments": segments}


def _summary() -> st.SearchStrategy[dict[str, Json]]:
    return st.fixed_dictionaries({"summary": texts(), "words": st.integers(1, 999), "compression": ratios()})


def _translation(request: Request) -> st.SearchStrategy[dict[str, Json]]:
    target = st.just(_asked(request, "target_lang"))
    return st.fixed_dictionaries({"text": texts(), "source_lang": langs(), "target_lang": target})


def _sentiment() -> st.SearchStrategy[dict[str, Json]]:
    labels = st.sampled_from(["positive", "neutral", "negative"])
    return st.fixed_dictionaries({"label": labels, "score": st.floats(-1, 1)})


def _picture(**more: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    return st.fixed_dictionaries({**more, "width_px": st.integers(1, 9999), "height_px": st.integers(1, 9999)})


def _reading() -> st.SearchStrategy[dict[str, Json]]:
    page = _picture(page=st.integers(1, 99), text=_empty_or_text(20), confidence=ratios())
    pages = st.lists(page, min_size=1, max_size=3)
    return st.fixed_dictionaries(
        {"text": _empty_or_text(), "confidence": ratios(), "language": langs(), "pages": pages}
    )


def _voice() -> st.SearchStrategy[dict[str, Json]]:
    sound = files("audio/wav").map(lambda octets: base64.b64encode(octets).decode())
    return st.fixed_dictionaries(
        {"audio_base64": sound, "media_type": st.just("audio/wav"), "duration_s": st.floats(0, 60)}
    )


@st.composite
def _invoice_field(draw: st.DrawFn, length: int) -> dict[str, Json]:
    name = draw(st.sampled_from(FIELDS))
    span = sorted(draw(st.tuples(st.integers(0, length), st.integers(0, length))))
    return {
        "name": name,
        "value": draw(st.none() | _field_value(name)),
        "raw": draw(st.none() | texts(20)),
        "span": draw(st.none() | st.just(span)),
        "confidence": draw(ratios()),
        "valid": draw(st.none() | st.booleans()),
    }


def _field_value(name: str) -> st.SearchStrategy[str]:
    if name in DATE_FIELDS:
        return st.dates().map(lambda day: day.isoformat())
    if name in AMOUNT_FIELDS:
        return amounts()
    return st.just("EUR") if name == "moneda" else texts(20)


def _invoice(request: Request) -> st.SearchStrategy[dict[str, Json]]:
    figures, maybe = amounts(), st.none() | amounts()
    tax = st.fixed_dictionaries({"base": maybe, "rate": figures, "amount": maybe})
    line = st.fixed_dictionaries(
        {"description": texts(20), "quantity": maybe, "unit_price": figures, "amount": figures}
    )
    fields = st.lists(_invoice_field(len(request["payload"]["content"])), max_size=4)
    return st.fixed_dictionaries(
        {"fields": fields, "taxes": st.lists(tax, max_size=2), "lines": st.lists(line, max_size=2)}
    )


def _hash(request: Request) -> st.SearchStrategy[dict[str, Json]]:
    algorithm = _asked(request, "algorithm")
    digest = st.binary(min_size=DIGEST_SIZES[algorithm], max_size=DIGEST_SIZES[algorithm]).map(bytes.hex)
    size = st.just(len(_octets(request["payload"])))
    return st.fixed_dictionaries({"algorithm": st.just(algorithm), "digest": digest, "size_bytes": size})


def _octets(payload: Mapping[str, str]) -> bytes:
    content = payload["content"]
    return content.encode() if payload["encoding"] == "utf-8" else base64.b64decode(content)


_RESULTS: Mapping[str, Callable[[Request], st.SearchStrategy[dict[str, Json]]]] = {
    "ClassifierResult": lambda _: _shares("category", texts(20)),
    "LanguageResult": lambda _: _shares("language", langs()),
    "SummarizerResult": lambda _: _summary(),
    "TranslatorResult": _translation,
    "EmbeddingsResult": _vectors,
    "SentimentResult": lambda _: _sentiment(),
    "OcrResult": lambda _: _reading(),
    "CaptionResult": lambda _: _picture(caption=texts()),
    "AsrResult": lambda _: _speech(),
    "TtsResult": lambda _: _voice(),
    "FieldsResult": _invoice,
    "HashResult": _hash,
}
