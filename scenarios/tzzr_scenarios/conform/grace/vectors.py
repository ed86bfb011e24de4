"""EMBEDDINGS and HASHER, whose answers can be checked to the last digit (contract §4)."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.checks import TOLERANCE, has, number
from tzzr_scenarios.conform.grace.probe import Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

_ALGORITHMS: Final[Mapping[str, Callable[[bytes], Any]]] = {
    "sha256": hashlib.sha256, "sha512": hashlib.sha512, "sha3_256": hashlib.sha3_256, "blake2b": hashlib.blake2b,
}  # fmt: skip
_MANY: Final = "ñandú ¡café! 🧾 مرحبا e\u0301\r\n\tfin"
"""Accents, a character of four bytes, another direction, a combining mark, CRLF and a tab."""


def _vectors(answer: Answer) -> list[list[float]]:
    vectors = answer.given("vectors", list)
    if not vectors or not all(isinstance(each, list) and all(map(number, each)) for each in vectors):
        raise NotJudged("result.vectors is no list of lists of numbers; see embeddings.form")
    return list(vectors)


@BOOK.rule("embeddings.form", "§4: EMBEDDINGS")
async def embeds(probe: Probe) -> None:
    """The result has ``vectors`` of numbers, ``dimensions``, ``model`` and ``normalized``, which is true."""
    answer = await probe.good("EMBEDDINGS")
    has(answer, {"vectors": list, "dimensions": int, "model": str, "normalized": bool})
    lists = [each for each in answer.result["vectors"] if isinstance(each, list) and all(map(number, each))]
    hold(answer, len(lists) == len(answer.result["vectors"]) > 0, "result.vectors", "lists of numbers", len(lists))
    hold(answer, answer.result["normalized"], "result.normalized", True, answer.result["normalized"])


@BOOK.rule("embeddings.default", "§4: EMBEDDINGS, dimensions")
async def has_384_dimensions_by_default(probe: Probe) -> None:
    """Without ``dimensions`` a vector has 384 of them, and the result says so."""
    _long(await probe.good("EMBEDDINGS"), 384)


@BOOK.rule("embeddings.dimensions", "§4: EMBEDDINGS, dimensions")
async def has_as_many_dimensions_as_asked(probe: Probe) -> None:
    """With ``dimensions`` a vector has that many, and the result says so."""
    _long(await probe.ask(samples.text("EMBEDDINGS", dimensions=64)), 64)


def _long(answer: Answer, expected: int) -> None:
    hold(answer, answer.given("dimensions", int) == expected, "result.dimensions", expected,
         answer.result["dimensions"])  # fmt: skip
    for vector in _vectors(answer):
        hold(answer, len(vector) == expected, "numbers of a vector", expected, len(vector))


@BOOK.rule("embeddings.norm", "§4: EMBEDDINGS, normalized")
async def is_of_norm_one(probe: Probe) -> None:
    """Every vector has the Euclidean norm 1."""
    answer = await probe.good("EMBEDDINGS")
    for vector in _vectors(answer):
        hold(answer, abs(math.hypot(*vector) - 1) <= TOLERANCE, "norm of a vector", 1, math.hypot(*vector))


@BOOK.rule("embeddings.same", "§4: same text, same vector")
async def gives_the_same_vector_for_the_same_text(probe: Probe) -> None:
    """The same text has the same vector, also in a request with another key."""
    first = await probe.good("EMBEDDINGS")
    again = await probe.ask(samples.text("EMBEDDINGS", mode="strict"))
    same = _vectors(first) == _vectors(again)
    hold(again, same, "result.vectors", "the vector of the first request", "another one")


@BOOK.rule("hasher.form", "§4: HASHER")
async def hashes(probe: Probe) -> None:
    """The result has ``algorithm``, ``digest`` and ``size_bytes``."""
    has(await probe.good("HASHER"), {"algorithm": str, "digest": str, "size_bytes": int})


@BOOK.rule("hasher.default", "§4: HASHER, algorithm")
async def hashes_by_sha256_by_default(probe: Probe) -> None:
    """Without ``algorithm`` the digest is SHA-256, in lower-case hexadecimal, and the result says so."""
    _digest(await probe.good("HASHER"), "sha256", samples.TEXT.encode())


@BOOK.rule("hasher.algorithms", "§4: HASHER, algorithm")
async def hashes_by_every_algorithm(probe: Probe) -> None:
    """``sha512``, ``sha3_256`` and ``blake2b`` give the digests of those algorithms."""
    for name in ("sha512", "sha3_256", "blake2b"):
        _digest(await probe.ask(samples.text("HASHER", algorithm=name)), name, samples.TEXT.encode())


@BOOK.rule("hasher.bytes", "§4: HASHER; §1: payload.type binary")
async def hashes_octets(probe: Probe) -> None:
    """Octets are hashed as they are, not their base64."""
    answer = await probe.ask(samples.binary("HASHER", "binary", "application/octet-stream", samples.OCTETS))
    _digest(answer, "sha256", samples.OCTETS)


@BOOK.rule("hasher.text", "§1: text is sent as received")
async def hashes_text_byte_for_byte(probe: Probe) -> None:
    """A text arrives as it was sent, with its accents, line breaks and composed or decomposed letters."""
    for form in ("NFC", "NFD"):
        content = unicodedata.normalize(form, _MANY) + " \n"
        _digest(await probe.ask(samples.text("HASHER", content)), "sha256", content.encode())


@BOOK.rule("hasher.size", "§4: HASHER, size_bytes")
async def counts_bytes(probe: Probe) -> None:
    """``size_bytes`` counts the bytes of the text in UTF-8, not its characters."""
    answer = await probe.ask(samples.text("HASHER", _MANY))
    came = answer.given("size_bytes", int)
    hold(answer, came == len(_MANY.encode()), "result.size_bytes", len(_MANY.encode()), came)


def _digest(answer: Answer, algorithm: str, octets: bytes) -> None:
    named, expected = answer.given("algorithm", str), _ALGORITHMS[algorithm](octets).hexdigest()
    hold(answer, named == algorithm, "result.algorithm", algorithm, named)
    hold(answer, answer.given("digest", str) == expected, "result.digest", expected, answer.result["digest"])
