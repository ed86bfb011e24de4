"""The error codes that an S-CONTRACT response may carry (contract §2), as GRACE knows them.

The fakes read the contract's text, not the server's models: a test holds the two tables together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

GraceCode = Literal[
    "CONTRACT_INVALID",
    "CONTRACT_VERSION_UNSUPPORTED",
    "MODULE_UNKNOWN",
    "PAYLOAD_UNSUPPORTED",
    "PAYLOAD_TOO_LARGE",
    "PAYLOAD_CORRUPT",
    "PARAMS_INVALID",
    "LANG_UNSUPPORTED",
    "LOW_CONFIDENCE",
    "MODULE_UNAVAILABLE",
    "MODULE_TIMEOUT",
    "RATE_LIMITED",
    "FALLBACK_EXHAUSTED",
    "INTERNAL",
]

GRACE_CODES: Final[tuple[str, ...]] = get_args(GraceCode)

RETRYABLE: Final = frozenset({"MODULE_UNAVAILABLE", "MODULE_TIMEOUT", "RATE_LIMITED", "FALLBACK_EXHAUSTED", "INTERNAL"})
"""The codes after which the same request may succeed later."""

_ONE_ERROR: Final = ({"pointer": "/payload", "message": "refused by a planned fault"},)

DETAILS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "CONTRACT_INVALID": {"errors": list(_ONE_ERROR)},
        "CONTRACT_VERSION_UNSUPPORTED": {"supported": ["2.1"]},
        "MODULE_UNKNOWN": {"module": "UNKNOWN"},
        "PAYLOAD_UNSUPPORTED": {"accepted": ["text"]},
        "PAYLOAD_TOO_LARGE": {"limit_bytes": 7 * 1024 * 1024, "size_bytes": 7 * 1024 * 1024 + 1},
        "PARAMS_INVALID": {"errors": list(_ONE_ERROR)},
        "LANG_UNSUPPORTED": {"supported": ["es", "en"]},
        "LOW_CONFIDENCE": {"confidence": 0.2, "threshold": 0.6},
        "MODULE_TIMEOUT": {"timeout_ms": 30_000},
        "RATE_LIMITED": {"retry_after_s": 30},
    }
)
"""The details that the contract demands of a code, filled in plausibly."""


@dataclass(frozen=True)
class ModuleFailure:
    """How a module failed: ``error`` of an attempt, ``failure`` of a response (contract §2)."""

    code: str
    message: str
    retryable: bool
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, code: str, message: str, **details: Any) -> ModuleFailure:
        """A failure as retryable as its code, with the code's details; ``details`` replace or add."""
        return cls(code, message, code in RETRYABLE, {**DETAILS.get(code, {}), **details})
