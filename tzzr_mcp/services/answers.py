"""What GRACE answered, as tools use it: a result, or the failure that it reported in our own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from tzzr_mcp.contract.errors import Code, Failure
from tzzr_mcp.contract.response import Attempt, Problem, Response
from tzzr_mcp.services.failures import checked, failure
from tzzr_mcp.services.sentences import hop_reason


@dataclass(frozen=True)
class Answer:
    """One result of GRACE.

    ``module`` was asked, ``resolved`` answered; ``attempts`` is ``routing.attempts`` of contract §2, whether GRACE or
    the server walked the chain. ``duration_ms`` is GRACE's own time. ``kept_since`` is when GRACE gave an answer that was kept,
    None for one that it gave to this very call.
    """

    module: str
    resolved: str
    status: Literal["OK", "DEGRADED"]
    result: Mapping[str, Any]
    attempts: Sequence[Mapping[str, Any]]
    simulated: bool
    invented: bool
    duration_ms: int
    kept_since: datetime | None = None

    @property
    def degraded(self) -> bool:
        """Whether a later module of the chain answered."""
        return self.status == "DEGRADED"


def attempts_of(response: Response) -> list[dict[str, Any]]:
    """``routing.attempts``, each error with our words in place of the upstream's."""
    return [_attempt(attempt) for attempt in response.routing.attempts]


def failure_of(response: Response, module: str) -> Failure | None:
    """The failure that a response with status ERROR reports, None for a result; ``module`` is what was asked for."""
    if response.failure is None:
        return None
    problem = response.failure
    details = checked(problem.details)
    return failure(Code(problem.code), module, retryable=problem.retryable, attempts=attempts_of(response), **details)


def _attempt(attempt: Attempt) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "module": attempt.module,
        "status": attempt.status,
        "duration_ms": attempt.duration_ms,
    }
    return {**plain, "error": _error(attempt.error)} if attempt.error is not None else plain


def _error(problem: Problem) -> dict[str, Any]:
    told = {"code": problem.code, "retryable": problem.retryable, "details": checked(problem.details)}
    return {**told, "message": hop_reason(told)}
