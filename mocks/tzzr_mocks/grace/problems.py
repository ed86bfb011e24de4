"""Failures as GRACE reports them: one form for ``failure`` and for ``routing.attempts`` (CONTRACT §2)."""

from __future__ import annotations

from typing import Any

from tzzr_mocks.faults.codes import RETRYABLE, ModuleFailure
from tzzr_mocks.grace.engines import EngineError


def problem(failure: ModuleFailure) -> dict[str, Any]:
    """A failure as JSON; ``details`` is left out when there are none."""
    body = {"code": failure.code, "message": failure.message, "retryable": failure.retryable}
    return {**body, "details": dict(failure.details)} if failure.details else body


def failure_of(error: EngineError) -> ModuleFailure:
    """What an engine, or the reading of a request, raised."""
    return ModuleFailure(error.code, error.message, error.code in RETRYABLE, error.details)


def goes_on(failure: ModuleFailure) -> bool:
    """Whether a chain tries its next module after this failure (CONTRACT, "Who falls back")."""
    return failure.retryable or failure.code == "LOW_CONFIDENCE"
