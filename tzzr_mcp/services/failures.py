"""Failures as the tools report them: a code of contract §2, our own sentence, and details that were checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final

from tzzr_mcp.contract.catalogue import MEDIA_TYPES, MODULES
from tzzr_mcp.contract.errors import RETRYABLE, Code, ContractError, Failure
from tzzr_mcp.contract.translation import PARAM_OF
from tzzr_mcp.services.sentences import Attempts, hop_reason, sentence
from tzzr_mcp.services.troubles import Trouble, UpstreamError


def failure(
    code: Code, subject: str, *, retryable: bool | None = None, attempts: Attempts = (), **details: Any
) -> Failure:
    """The failure ``code`` of ``subject`` (a module, or HST, or CONTEXT); details that are None are left out."""
    known = {name: value for name, value in details.items() if value is not None}
    message = sentence(code, subject, known, attempts)
    return Failure(code, message, RETRYABLE[code] if retryable is None else retryable, known, tuple(attempts))


def from_upstream(error: UpstreamError, codes: Mapping[Trouble, Code], subject: str) -> ContractError:
    """What ``error`` means for a tool, by the service's own table."""
    code = codes[error.trouble]
    retryable = False if error.trouble is Trouble.REFUSED else None
    details: dict[str, Any] = {"status": error.status, "retry_after_s": error.retry_after_s, "state": error.state}
    if code in {Code.CIRCUIT_OPEN, Code.BUSY}:
        details["service"] = error.service
    return ContractError(failure(code, subject, retryable=retryable, **details))


def hop(module: str, error: Failure, duration_ms: int) -> dict[str, Any]:
    """One failed module of a chain, in the form of ``routing.attempts`` (contract §2)."""
    told = {"code": str(error.code), "retryable": error.retryable, "details": dict(error.details)}
    return {
        "module": module,
        "status": "ERROR",
        "duration_ms": duration_ms,
        "error": {**told, "message": hop_reason(told)},
    }


def checked(details: Mapping[str, Any] | None) -> dict[str, Any]:
    """What may be passed on of the details in GRACE's answer: the fields of contract §2, if they are what they say."""
    given = details or {}
    known = {name: given[name] for name, fits in _FIELDS.items() if name in given and fits(given[name])}
    arguments = _arguments(given.get("errors"))
    return {**known, "arguments": arguments} if arguments else known


def _arguments(errors: Any) -> list[str]:
    """The tool's arguments that ``details.errors`` points at; what it says of them is the upstream's own words."""
    pointers = [error.get("pointer") for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
    named = (_ARGUMENT_AT[pointer] for pointer in pointers if isinstance(pointer, str) and pointer in _ARGUMENT_AT)
    return list(dict.fromkeys(named))


_ARGUMENT_AT: Final = {f"/payload/params/{param}": argument for argument, param in PARAM_OF.items()}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12


def _are_all(form: re.Pattern[str], value: Any) -> bool:
    """Whether a value is a list of at most 100 strings of that form, so that nothing else can hide in them."""
    few = isinstance(value, list) and len(value) <= 100
    return few and all(isinstance(one, str) and form.fullmatch(one) for one in value)


_LANGUAGES: Final = re.compile(r"[a-z]{2,3}|[0-9]{1,3}\.[0-9]{1,3}")
_MEDIA: Final = re.compile("|".join(map(re.escape, (*MEDIA_TYPES, *chain.from_iterable(MEDIA_TYPES.values())))))
_NUMBERS: Final[Iterable[str]] = (
    "confidence",
    "threshold",
    "limit_bytes",
    "size_bytes",
    "retry_after_s",
    "timeout_ms",
)
_FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(_NUMBERS, _is_number),
    "supported": partial(_are_all, _LANGUAGES),
    "accepted": partial(_are_all, _MEDIA),
    "module": lambda value: isinstance(value, str) and value in MODULES,
}
