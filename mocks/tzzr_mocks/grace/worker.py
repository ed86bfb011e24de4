"""GRACE's own program: takes an S-CONTRACT request as the job's input, returns an S-CONTRACT response as its output."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from tzzr_mcp.contract.catalogue import CONTRACT_VERSION, MODULE_VERSION
from tzzr_mocks.control import Control
from tzzr_mocks.grace.chain import Chain, Resolution
from tzzr_mocks.grace.engines import EngineError
from tzzr_mocks.grace.kept import Kept
from tzzr_mocks.grace.problems import failure_of, problem
from tzzr_mocks.grace.programs import Assignment
from tzzr_mocks.grace.reading import Request, read

NO_TRACE: Final = "00000000-0000-4000-8000-000000000000"
NO_KEY: Final = "0" * 64
_TRACE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_KEY = re.compile(r"[0-9a-f]{64}")


class GraceWorker:
    """The program of the endpoint ``grace``: validates, runs the chain, answers; each idempotency key once."""

    def __init__(self, control: Control, endpoint: str | None = None) -> None:
        self._clock = control.seams.clock
        self._chain = Chain(control)
        self._endpoint = endpoint
        self.kept: Kept[Resolution] = Kept(self._clock, lambda resolution: resolution.answer is not None)

    async def __call__(self, assignment: Assignment) -> dict[str, Any]:
        """The response to one job's input; every failure is one in its ``failure``, never an exception."""
        began = self._clock.monotonic()
        document = assignment.input if isinstance(assignment.input, dict) else {}
        try:
            request = read(document)
        except EngineError as error:
            return self._response(document, Resolution(failure=failure_of(error)), began)
        resolution = await self.kept.once(request.key, assignment.keep_s, lambda: self._resolve(request))
        return self._response(document, resolution, began)

    async def _resolve(self, request: Request) -> Resolution:
        return await self._chain.resolve(request, self._endpoint)

    def _response(self, document: dict[str, Any], resolution: Resolution, began: float) -> dict[str, Any]:
        answer = resolution.answer
        routing = {"module": _named(document), "version": MODULE_VERSION, "resolved": resolution.resolved}
        return {
            "contract_version": CONTRACT_VERSION,
            "profile": "FULL" if document.get("profile") == "FULL" else "LITE",
            "envelope": self._envelope(document.get("envelope")),
            "routing": {**routing, "attempts": resolution.attempts},
            "status": resolution.status,
            "result": answer.result if answer else None,
            "failure": problem(resolution.failure) if resolution.failure else None,
            "metrics": {
                "duration_ms": round((self._clock.monotonic() - began) * 1000),
                "simulated": True,
                "invented": answer.invented if answer else False,
            },
        }

    def _envelope(self, given: Any) -> dict[str, str]:
        """The request's own ids; zeros in the place of one that is none."""
        ids = given if isinstance(given, dict) else {}
        return {
            "trace_id": _proper(_TRACE, ids.get("trace_id"), NO_TRACE),
            "idempotency_key": _proper(_KEY, ids.get("idempotency_key"), NO_KEY),
            "timestamp": timestamp(self._clock.now()),
        }


def timestamp(instant: datetime) -> str:
    """RFC 3339 in UTC with milliseconds and ``Z``."""
    return f"{instant:%Y-%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03d}Z"


def _proper(pattern: re.Pattern[str], value: Any, otherwise: str) -> str:
    return value if isinstance(value, str) and pattern.fullmatch(value) else otherwise


def _named(document: dict[str, Any]) -> str:
    """The module that the request names, as far as it names one."""
    routing = document.get("routing")
    name = routing.get("module") if isinstance(routing, dict) else None
    return name if isinstance(name, str) else ""
