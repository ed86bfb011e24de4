"""Tries the modules of a chain in order and says which one answered (CONTRACT, "Who falls back")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tzzr_mcp.contract.catalogue import MODULES, chain_of
from tzzr_mocks.control import Control
from tzzr_mocks.control.occasion import Occasion, Point
from tzzr_mocks.faults import ModuleFailure, ModuleFault
from tzzr_mocks.grace.engines import Answer, EngineError, engine_for
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

    A fault of a chain's own name (``OCR_CORE is down``) strikes each of its modules.
    """

    def __init__(self, control: Control) -> None:
        self._control = control
        self._clock = control.seams.clock

    async def resolve(self, request: Request, endpoint: str | None = None) -> Resolution:
        """Try the request's modules until one answers or a failure ends it."""
        chain = chain_of(request.module.name)
        everywhere = self._faults(request, request.module.name, endpoint) if request.module.chain else []
        attempts: list[dict[str, Any]] = []
        failure: ModuleFailure | None = None
        for module in chain:
            began = self._clock.monotonic()
            answer = await self._run(request, module, [*everywhere, *self._faults(request, module, endpoint)])
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
        return [fault for fault in self._control.plan.fired(about) if isinstance(fault, ModuleFault)]

    async def _run(self, request: Request, module: str, faults: Iterable[ModuleFault]) -> Answer | ModuleFailure:
        for fault in faults:
            failure = await fault.strike(self._clock)
            if failure is not None:
                return failure
        answer = _computed(request, module)
        if isinstance(answer, ModuleFailure):
            return answer
        await self._clock.sleep(answer.cost_ms / 1000)
        return _unsure(request, module, answer) or answer

    def _trace(self, request: Request, module: str, failure: ModuleFailure | None) -> None:
        outcome = "OK" if failure is None else str(problem(failure)["code"])
        about = {"module": module, "outcome": outcome, "trace_id": request.trace_id, "key": request.key}
        self._control.seams.trace.record(self._control.service, "module", **about)

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
