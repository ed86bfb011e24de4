"""GRACE over RunPod: a contract in, an answer out, every failure with a code of contract §2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from tzzr_mcp.contract.answer import parse_response
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.errors import GRACE_CODES, Code, ContractError, Failure
from tzzr_mcp.contract.parts import Parts
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.translation import readdressed, serialise
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.answers import Answer, attempts_of, failure_of
from tzzr_mcp.services.failures import failure, from_upstream, hop
from tzzr_mcp.services.jobs import RETRYABLE_CAUSES, Cause, Job, JobState
from tzzr_mcp.services.module_breakers import ModuleBreakers, NoResponse, Resting
from tzzr_mcp.services.runpod import Errand, Listener, RunPod
from tzzr_mcp.services.troubles import Trouble, UpstreamError

CODES: Final = {
    Trouble.UNREACHABLE: Code.GRACE_UNREACHABLE,
    Trouble.TIMEOUT: Code.GRACE_UNREACHABLE,
    Trouble.BROKEN: Code.GRACE_UNREACHABLE,
    Trouble.DEADLINE: Code.GRACE_DEADLINE,
    Trouble.CIRCUIT_OPEN: Code.CIRCUIT_OPEN,
    Trouble.BUSY: Code.BUSY,
    Trouble.AUTH: Code.GRACE_AUTH,
    Trouble.FORBIDDEN: Code.GRACE_AUTH,
    Trouble.NOT_FOUND: Code.GRACE_ENDPOINT_NOT_FOUND,
    Trouble.TOO_LARGE: Code.PAYLOAD_TOO_LARGE,
    Trouble.RATE_LIMITED: Code.GRACE_RATE_LIMITED,
    Trouble.REFUSED: Code.GRACE_BAD_RESPONSE,
    Trouble.BAD_RESPONSE: Code.GRACE_BAD_RESPONSE,
}
"""What a trouble with RunPod means (contract §2)."""


class Grace:
    """The client of GRACE."""

    def __init__(self, runpod: RunPod) -> None:
        self.runpod = runpod
        self._seams = runpod.upstream.seams
        self.breakers = ModuleBreakers(runpod.upstream.door.service, self._seams)

    async def run(self, request: Request, deadline: Deadline, listener: Listener) -> Answer:
        """The answer to ``request``; ``listener`` is told the job's states, and its text where parts were asked for.

        Raises:
            ContractError: GRACE's own failure, or one of the codes for when none came back. Its attempts tell every
                module that was tried. BUSY when as many calls as are allowed wait for GRACE.
        """
        try:
            with self.runpod.upstream.seats.taken():
                return await self._answered(request, deadline, listener)
        except UpstreamError as error:
            raise from_upstream(error, CODES, request.routing.module) from error

    async def _answered(self, request: Request, deadline: Deadline, listener: Listener) -> Answer:
        module = request.routing.module
        try:
            return await self._asked(request, module, [], deadline, listener)
        except NoResponse as lost:
            if not MODULES[module].chain:
                raise
            return await self._walk(request, lost, deadline, listener)

    async def _walk(self, request: Request, lost: NoResponse, deadline: Deadline, listener: Listener) -> Answer:
        """The second line (contract §3): the chain's modules one by one, under the same trace and deadline."""
        module = request.routing.module
        hops: list[dict[str, Any]] = []
        for name in MODULES[module].chain:
            self._seams.trace.record(
                "server", "fallback", module=name, after=str(lost.failure.code), trace_id=request.envelope.trace_id
            )
            begun = self._seams.clock.monotonic()
            try:
                return await self._direct(request, name, hops, deadline, listener)
            except ContractError as error:
                if not _goes_on(error):
                    raise ContractError(_told(error.failure, hops)) from error
                spent = round((self._seams.clock.monotonic() - begun) * 1000)
                hops.append(hop(name, error.failure, spent))
        raise ContractError(failure(Code.FALLBACK_EXHAUSTED, module, attempts=hops))

    async def _direct(
        self, request: Request, name: str, hops: Sequence[dict[str, Any]], deadline: Deadline, listener: Listener
    ) -> Answer:
        direct = readdressed(request, name, timestamp=self._seams.clock.now())
        return await self._asked(direct, request.routing.module, hops, deadline, listener)

    async def _asked(
        self,
        request: Request,
        module: str,
        hops: Sequence[dict[str, Any]],
        deadline: Deadline,
        listener: Listener,
    ) -> Answer:
        """What one job answers for ``module``, when its own module is not resting."""
        addressed = request.routing.module
        with self.breakers.guard(addressed):
            response = await self._ask(request, deadline, listener)
            if MODULES[addressed].chain:
                self.breakers.heard(attempts_of(response))
            return _answer(module, response, hops)

    async def _ask(self, request: Request, deadline: Deadline, listener: Listener) -> Response:
        module, ids = request.routing.module, request.envelope
        errand = Errand(
            serialise(request),
            deadline,
            UUID(ids.trace_id),
            listener,
            _looks_like_a_response,
            {"module": module, "key": ids.idempotency_key},
            Parts(ids.trace_id).text_of if ids.stream else None,
        )
        try:
            job = await self.runpod.run(errand)
        except UpstreamError as error:
            raise from_upstream(error, CODES, module) from error
        return self._response(job, request)

    def _response(self, job: Job, request: Request) -> Response:
        module = request.routing.module
        if job.error:
            self.runpod.upstream.door.warn(f"job {job.id} {job.state}", job.error, UUID(request.envelope.trace_id))
        if job.state is JobState.CANCELLED:
            raise ContractError(failure(Code.GRACE_JOB_CANCELLED, module))
        if job.state is not JobState.COMPLETED:
            raise NoResponse(_job_failure(job, module))
        try:
            return parse_response(_whole(job.output), request)
        except ContractError as error:
            told = failure(error.failure.code, module, **error.failure.details)
            kind = NoResponse if told.code is Code.GRACE_BAD_RESPONSE else ContractError
            raise kind(told) from error


def _looks_like_a_response(output: Any) -> bool:
    whole = _whole(output)
    return isinstance(whole, dict) and "contract_version" in whole


def _whole(output: Any) -> Any:
    """The response in a job's output: of a worker that yields, RunPod shows all that it did, the response last."""
    return output[-1] if isinstance(output, list) and output else output


def _job_failure(job: Job, module: str) -> Failure:
    expired = job.state in {JobState.TIMED_OUT, JobState.GONE} or job.cause is Cause.EXECUTION_TIMEOUT
    if expired:
        return failure(Code.GRACE_JOB_TIMEOUT, module, state=str(job.state))
    retryable = job.cause in RETRYABLE_CAUSES
    return failure(Code.GRACE_JOB_FAILED, module, retryable=retryable, cause=str(job.cause))


def _answer(module: str, response: Response, hops: Sequence[dict[str, Any]]) -> Answer:
    """The answer to ``module`` in ``response``; ``hops`` are the modules that the server had tried before."""
    error = failure_of(response, module)
    if error is not None:
        raise ContractError(error)
    resolved = response.routing.resolved or module
    chain = MODULES[module].chain
    return Answer(
        module=module,
        resolved=resolved,
        status="DEGRADED" if chain and resolved != chain[0] else "OK",
        result=response.result or {},
        attempts=[*hops, *attempts_of(response)],
        simulated=response.metrics.simulated,
        invented=response.metrics.invented,
        duration_ms=response.metrics.duration_ms,
    )


def _goes_on(error: ContractError) -> bool:
    """Whether another module of the chain may succeed (contract §3); any other failure ends the chain at once."""
    told = error.failure
    on = told.code is Code.LOW_CONFIDENCE or (told.code in GRACE_CODES and told.retryable)
    return on or isinstance(error, NoResponse | Resting)


def _told(error: Failure, hops: Sequence[dict[str, Any]]) -> Failure:
    """``error`` of a direct request as the failure of the whole: what was tried before stands first."""
    return replace(error, attempts=(*hops, *error.attempts))
