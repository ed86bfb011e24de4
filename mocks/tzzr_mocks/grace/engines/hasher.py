"""HASHER: a real digest of the payload's bytes, a text's UTF-8 form included."""

from __future__ import annotations

import hashlib

from . import params
from .pace import cost_ms
from .port import Answer, Work

__all__ = ["ALGORITHMS", "digest"]

ALGORITHMS = ("sha256", "sha512", "sha3_256", "blake2b")


def digest(work: Work) -> Answer:
    """``{algorithm, digest, size_bytes}``; the digest is lower-case hex, blake2b at its full 64 bytes."""
    algorithm = params.choice(work, "algorithm", "sha256", ALGORITHMS)
    octets = work.octets
    result = {
        "algorithm": algorithm,
        "digest": hashlib.new(algorithm, octets).hexdigest(),
        "size_bytes": len(octets),
    }
    return Answer(result, cost_ms=cost_ms(work.module, len(octets)))
