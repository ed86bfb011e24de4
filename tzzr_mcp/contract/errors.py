"""Every error code of the contract, and the failures that carry them.

    ContractError            what cannot be sent, or an answer that cannot be used; carries a Failure
    └── ArgumentInvalid      an MCP tool's argument: names it, the value given and what is accepted

Source: contract §2, error codes. Messages are Spanish, because an MCP user reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from tzzr_mcp.checks.words import shown

__all__ = ["ArgumentInvalid", "Code", "ContractError", "Failure", "shown"]


class Code(StrEnum):
    """The codes of contract §2, grouped by who reports them."""

    CONTRACT_INVALID = "CONTRACT_INVALID"
    CONTRACT_VERSION_UNSUPPORTED = "CONTRACT_VERSION_UNSUPPORTED"
    MODULE_UNKNOWN = "MODULE_UNKNOWN"
    PAYLOAD_UNSUPPORTED = "PAYLOAD_UNSUPPORTED"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    PAYLOAD_CORRUPT = "PAYLOAD_CORRUPT"
    PARAMS_INVALID = "PARAMS_INVALID"
    LANG_UNSUPPORTED = "LANG_UNSUPPORTED"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"
    MODULE_UNAVAILABLE = "MODULE_UNAVAILABLE"
    MODULE_TIMEOUT = "MODULE_TIMEOUT"
    RATE_LIMITED = "RATE_LIMITED"
    FALLBACK_EXHAUSTED = "FALLBACK_EXHAUSTED"
    INTERNAL = "INTERNAL"

    ARGUMENT_INVALID = "ARGUMENT_INVALID"
    FILE_NOT_ALLOWED = "FILE_NOT_ALLOWED"
    FILE_NOT_FOUND = "FILE_NOT_FOUND"
    FILE_TOO_LARGE = "FILE_TOO_LARGE"
    MEDIA_TYPE_UNKNOWN = "MEDIA_TYPE_UNKNOWN"
    BUSY = "BUSY"
    CANCELLED = "CANCELLED"

    GRACE_UNREACHABLE = "GRACE_UNREACHABLE"
    GRACE_AUTH = "GRACE_AUTH"
    GRACE_ENDPOINT_NOT_FOUND = "GRACE_ENDPOINT_NOT_FOUND"
    GRACE_RATE_LIMITED = "GRACE_RATE_LIMITED"
    GRACE_JOB_FAILED = "GRACE_JOB_FAILED"
    GRACE_JOB_CANCELLED = "GRACE_JOB_CANCELLED"
    GRACE_JOB_TIMEOUT = "GRACE_JOB_TIMEOUT"
    GRACE_DEADLINE = "GRACE_DEADLINE"
    GRACE_BAD_RESPONSE = "GRACE_BAD_RESPONSE"
    CONTRACT_MISMATCH = "CONTRACT_MISMATCH"
    CIRCUIT_OPEN = "CIRCUIT_OPEN"

    HST_UNREACHABLE = "HST_UNREACHABLE"
    HST_AUTH = "HST_AUTH"
    HST_NOT_FOUND = "HST_NOT_FOUND"
    HST_RATE_LIMITED = "HST_RATE_LIMITED"
    HST_BAD_RESPONSE = "HST_BAD_RESPONSE"

    CONTEXT_UNREACHABLE = "CONTEXT_UNREACHABLE"
    CONTEXT_AUTH = "CONTEXT_AUTH"
    CONTEXT_NOT_FOUND = "CONTEXT_NOT_FOUND"
    CONTEXT_RATE_LIMITED = "CONTEXT_RATE_LIMITED"
    CONTEXT_BAD_RESPONSE = "CONTEXT_BAD_RESPONSE"


_RETRYABLE: Final = frozenset(
    {
        Code.MODULE_UNAVAILABLE,
        Code.MODULE_TIMEOUT,
        Code.RATE_LIMITED,
        Code.FALLBACK_EXHAUSTED,
        Code.INTERNAL,
        Code.BUSY,
        Code.GRACE_UNREACHABLE,
        Code.GRACE_RATE_LIMITED,
        Code.GRACE_JOB_TIMEOUT,
        Code.GRACE_DEADLINE,
        Code.GRACE_BAD_RESPONSE,
        Code.CIRCUIT_OPEN,
        Code.HST_UNREACHABLE,
        Code.HST_RATE_LIMITED,
        Code.HST_BAD_RESPONSE,
        Code.CONTEXT_UNREACHABLE,
        Code.CONTEXT_RATE_LIMITED,
        Code.CONTEXT_BAD_RESPONSE,
    }
)

RETRYABLE: Final[Mapping[Code, bool]] = MappingProxyType({code: code in _RETRYABLE for code in Code})
"""Whether the same request may succeed later. GRACE_JOB_FAILED goes by its cause: False unless the caller knows."""

GRACE_CODES: Final = tuple(Code)[: tuple(Code).index(Code.INTERNAL) + 1]
"""The codes that an S-CONTRACT response may carry; the others are the MCP server's own."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong: `message` is one or two plain Spanish sentences, `attempts` what GRACE tried (JSON)."""

    code: Code
    message: str
    retryable: bool
    details: Mapping[str, Any] = field(default_factory=dict)
    attempts: Sequence[Mapping[str, Any]] = ()

    @classmethod
    def of(cls, code: Code, message: str, **details: Any) -> Failure:
        """A failure as retryable as its code says (`RETRYABLE`), without attempts."""
        return cls(code, message, RETRYABLE[code], details)

    def as_json(self) -> dict[str, Any]:
        """The form of `_meta["tzzr/error"]` (contract §2)."""
        return {
            "code": str(self.code),
            "message": self.message,
            "retryable": self.retryable,
            "details": dict(self.details),
            "attempts": [dict(attempt) for attempt in self.attempts],
        }


class ContractError(Exception):
    """A request that cannot be sent, or an answer that cannot be used."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class ArgumentInvalid(ContractError):
    """An MCP tool's argument was refused before anything was sent (ARGUMENT_INVALID, or a closer code)."""

    def __init__(self, argument: str, message: str, *, code: Code = Code.ARGUMENT_INVALID, **details: Any) -> None:
        super().__init__(Failure.of(code, message, argument=argument, **details))
        self.argument = argument
