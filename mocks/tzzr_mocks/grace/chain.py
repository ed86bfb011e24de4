"""Tries the modules of a chain in order and says which one answered (CONTRACT, "Who falls back")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tzzr_mcp.contract.catalogue import MODULES, chain_of
from tzzr_mocks.control import Control
from tzzr_mocks.control.occasion import Occasion, Point
from tzzr_mocks.faults import ModuleFailure, ModuleFault
from tzzr_mocks.grace.course import Course
from tzzr_mocks.grace.engines import Answer, EngineError, engine_for
from tzzr_mocks.grace.parts import Show, pieces_of
from tzzr_mocks.grace.problems import failure_of, goes_on, problem
from tzzr_mocks.grace.reading import Request


@dataclass(frozen=True)
class Resolution:
    """How a request ended: ``answer`` and the module that gave it, or ``failure``; and every attempt in order."""

    attempts: list[dict[str, Any]] = field(default_factory=list)
    resolved: str | None = None
    answer: Answer | None = None
    failure: ModuleFailure | None = None

    @property
    def status(self) -> str:
        """``OK``, ``DEGRADED`` or ``ERROR``."""
        if self.answer is None:
            return "ERROR"
        return "OK" if len(self.attempts) == 1 else "DEGRADED"


class Chain:
    """Runs requests on the engines, one module at a time, with the plan's faults in their way.

    A fault of a chain's own name (``OCR_CORE is down``) strikes each of its modules. ``course`` is the run that it is
    part of; without one it is a run of its own.
    """

    def __init__(self, control: Control, course: Course | None = None) -> None:
        self._control = control
        self._clock = self._course = course or Course(control.seams.clock)

    async def resolve(self, request: Request, endpoint: str | None = None, show: Show | None = None) -> Resolution:
        """Try the request's modules until one answers or a failure ends it; ``show`` takes its text as it is written."""
        chain = chain_of(request.module.name)
        everywhere = self._faults(request, request.module.name, endpoint) if request.module.chain else []
        attempts: list[dict[str, Any]] = []
        failure: ModuleFailure | None = None
        for module in chain:
            began = self._clock.monotonic()
            answer = await self._run(request, module, [*everywhere, *self._faults(request, module, endpoint)], show)
            failure = answer if isinstance(answer, ModuleFailure) else None
            attempts.append(self._attempt(module, began, failure))
            self._trace(request, module, failure)
            if isinstance(answer, Answer):
                return Resolution(attempts, module, answer)
            if not goes_on(answer):
                return Resolution(attempts, failure=answer)
        return Resolution(attempts, failure=failure if len(chain) == 1 else _exhausted(request, chain))

    def _faults(self, request: Request, module: str, endpoint: str | None) -> list[ModuleFault]:
        """What the plan wants to happen to this module now."""
        trace_id, key = request.trace_id, request.key
        about = Occasion(
            Point.MODULE, self._control.service, module=module, trace_id=trace_id, key=key, endpoint=endpoint
        )
        fired = self._course.once(f"faults of {module}", lambda: self._control.plan.fired(about))
        return [fault for fault in fired if isinstance(fault, ModuleFault)]

    async def _run(
        self, request: Request, module: str, faults: Iterable[ModuleFault], show: Show | None
    ) -> Answer | ModuleFailure:
        writing_s = 0.0
        for fault in faults:
            if show and fault.writing_s:
                writing_s += fault.writing_s
            elif (failure := await fault.strike(self._clock)) is not None:
                return failure
        answer = _computed(request, module)
        if isinstance(answer, ModuleFailure):
            return answer
        refused = _unsure(request, module, answer)
        pieces = pieces_of(module, answer) if show and not refused else []
        await self._write(writing_s + answer.cost_ms / 1000, pieces, show)
        return refused or answer

    async def _write(self, seconds: float, pieces: Sequence[str], show: Show | None) -> None:
        """Take the time that the answer costs, and show each piece of it at the end of its share."""
        for piece in pieces or [""]:
            await self._clock.sleep(seconds / max(1, len(pieces)))
            if show and piece:
                show(piece)

    def _trace(self, request: Request, module: str, failure: ModuleFailure | None) -> None:
        outcome = "OK" if failure is None else str(problem(failure)["code"])
        about = {"module": module, "outcome": outcome, "trace_id": request.trace_id, "key": request.key}

        def note() -> None:
            self._control.seams.trace.record(self._control.service, "module", **about)

        self._course.once("trace", note)

    def _attempt(self, module: str, began: float, failure: ModuleFailure | None) -> dict[str, Any]:
        duration_ms = round((self._clock.monotonic() - began) * 1000)
        if failure is None:
            return {"module": module, "status": "OK", "duration_ms": duration_ms}
        return {"module": module, "status": "ERROR", "error": problem(failure), "duration_ms": duration_ms}


def _computed(request: Request, module: str) -> Answer | ModuleFailure:
    """The engine's answer. Whatever an engine did not mean to raise is INTERNAL."""
    try:
        return engine_for(module)(request.work(module))
    except EngineError as error:
        return failure_of(error)
    except Exception as error:  # an engine is code of its own, and the worker outlives it
        return ModuleFailure.of("INTERNAL", f"{module} failed inside: {type(error).__name__}")


def _unsure(request: Request, module: str, answer: Answer) -> ModuleFailure | None:
    """LOW_CONFIDENCE, when strict mode asks for more than the engine is sure of."""
    threshold, confidence = MODULES[module].threshold, answer.confidence
    if request.mode != "strict" or confidence is None or threshold is None or confidence >= threshold:
        return None
    text = f"{module} is {confidence:.2f} sure, and {threshold:.2f} is asked"
    return ModuleFailure.of("LOW_CONFIDENCE", text, confidence=confidence, threshold=threshold)


def _exhausted(request: Request, chain: Sequence[str]) -> ModuleFailure:
    return ModuleFailure.of("FALLBACK_EXHAUSTED", f"no module of {request.module.name} answered: {', '.join(chain)}")
