"""GRACE's own program: takes an S-CONTRACT request as the job's input, returns an S-CONTRACT response as its output."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable
from datetime import datetime
from typing import Any, Final

from tzzr_mcp.contract.catalogue import CONTRACT_VERSION, MODULE_VERSION
from tzzr_mocks.control import Control
from tzzr_mocks.grace.chain import Chain, Resolution
from tzzr_mocks.grace.course import Course
from tzzr_mocks.grace.engines import EngineError
from tzzr_mocks.grace.kept import Kept
from tzzr_mocks.grace.parts import Show, yielded
from tzzr_mocks.grace.problems import failure_of, problem
from tzzr_mocks.grace.programs import Assignment
from tzzr_mocks.grace.reading import read

NO_TRACE: Final = "00000000-0000-4000-8000-000000000000"
NO_KEY: Final = "0" * 64
_TRACE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_KEY = re.compile(r"[0-9a-f]{64}")


class GraceWorker:
    """The program of the endpoint ``grace``: validates, runs the chain, answers; each idempotency key once.

    RunPod tells from a handler whether it yields, for all of an endpoint's jobs; this one does for those alone that ask
    for parts, so that everybody else sees the response itself as the job's output.
    """

    def __init__(self, control: Control, endpoint: str | None = None) -> None:
        self._control = control
        self._endpoint = endpoint
        self.kept: Kept[Resolution] = Kept(control.seams.clock, lambda resolution: resolution.answer is not None)

    def __call__(self, assignment: Assignment) -> Awaitable[Any] | AsyncIterator[Any]:
        """The response to one job's input; every failure is one in its ``failure``, never an exception.

        A request with ``envelope.stream`` has its text yielded as it is written, and the response last.
        """
        document = assignment.input if isinstance(assignment.input, dict) else {}
        envelope = document.get("envelope")
        if not isinstance(envelope, dict) or envelope.get("stream") is not True:
            return self._answer(document, assignment)
        trace_id = _proper(_TRACE, envelope.get("trace_id"), NO_TRACE)
        return yielded(trace_id, lambda show: self._answer(document, assignment, show))

    def snapshot(self) -> Any:
        """The results that are kept, for `restore`."""
        return self.kept.snapshot()

    def restore(self, state: Any) -> None:
        """Go back to the results of a snapshot."""
        self.kept.restore(state)

    async def _answer(
        self, document: dict[str, Any], assignment: Assignment, show: Show | None = None
    ) -> dict[str, Any]:
        course = assignment.course
        try:
            request = read(document)
        except EngineError as error:
            return self._response(document, Resolution(failure=failure_of(error)), course)
        chain = Chain(self._control, course)
        resolution = await self.kept.once(
            request.key, assignment.keep_s, lambda: chain.resolve(request, self._endpoint, show)
        )
        return self._response(document, resolution, course)

    def _response(self, document: dict[str, Any], resolution: Resolution, course: Course) -> dict[str, Any]:
        answer = resolution.answer
        routing = {"module": _named(document), "version": MODULE_VERSION, "resolved": resolution.resolved}
        return {
            "contract_version": CONTRACT_VERSION,
            "profile": "FULL" if document.get("profile") == "FULL" else "LITE",
            "envelope": _envelope(document.get("envelope"), course.now()),
            "routing": {**routing, "attempts": resolution.attempts},
            "status": resolution.status,
            "result": answer.result if answer else None,
            "failure": problem(resolution.failure) if resolution.failure else None,
            "metrics": {
                "duration_ms": round((course.monotonic() - course.began) * 1000),
                "simulated": True,
                "invented": answer.invented if answer else False,
            },
        }


def _envelope(given: Any, now: datetime) -> dict[str, str]:
    """The request's own ids; zeros in the place of one that is none."""
    ids = given if isinstance(given, dict) else {}
    return {
        "trace_id": _proper(_TRACE, ids.get("trace_id"), NO_TRACE),
        "idempotency_key": _proper(_KEY, ids.get("idempotency_key"), NO_KEY),
        "timestamp": timestamp(now),
    }


def timestamp(instant: datetime) -> str:
    """RFC 3339 in UTC with milliseconds and ``Z``."""
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _proper(pattern: re.Pattern[str], value: Any, otherwise: str) -> str:
    return value if isinstance(value, str) and pattern.fullmatch(value) else otherwise


def _named(document: dict[str, Any]) -> str:
    """The module that the request names, as far as it names one."""
    routing = document.get("routing")
    name = routing.get("module") if isinstance(routing, dict) else None
    return name if isinstance(name, str) else ""
