"""GRACE on RunPod as the tests of its client have it: what a job ends in, module by module."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import (
    KEY,
    START,
    TRACE_ID,
    an_answer,
    job,
    new_router,
    new_seams,
    new_upstream,
    nobody,
    script,
    within,
)
from tzzr_mcp.contract.errors import ContractError, Failure
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.translation import binary_payload, request_for
from tzzr_mcp.services.answers import Answer
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.runpod import RunPod

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)
READ = {
    "text": "Total factura",
    "confidence": 0.9,
    "language": "es",
    "pages": [{"page": 1, "text": "Total factura", "width_px": 8, "height_px": 8, "confidence": 0.9}],
}

End = Callable[[Mapping[str, Any]], httpx.Response]
"""What ``/status`` says of a job, given the contract that was submitted."""


class GraceScene:
    """GRACE on RunPod: ``ends`` says how a job for each module ends."""

    def __init__(self, ends: Mapping[str, End] | End) -> None:
        self.seams = new_seams()
        self.contracts: list[Mapping[str, Any]] = []
        self._ends = ends
        router = self.router = new_router()
        router.post("/grace/run").mock(side_effect=self._run)
        router.get(url__regex=r".*/grace/status/\d+$").mock(side_effect=self._status)
        self.cancel = router.post(url__regex=r".*/grace/cancel/\d+$").mock(side_effect=script(job("CANCELLED")))
        self.grace = Grace(RunPod(new_upstream(router, self.seams), "grace"))

    def _run(self, request: httpx.Request) -> httpx.Response:
        self.contracts.append(json.loads(request.content)["input"])
        return httpx.Response(200, json={"id": str(len(self.contracts) - 1), "status": "IN_QUEUE"})

    def _status(self, request: httpx.Request) -> httpx.Response:
        contract = self.contracts[int(request.url.path.rpartition("/")[2])]
        end = self._ends[contract["routing"]["module"]] if isinstance(self._ends, Mapping) else self._ends
        return end(contract)

    async def ask(self, request: Request, seconds: float = 50) -> Answer:
        return await self.grace.run(request, within(seconds, self.seams), nobody)

    async def fail(self, request: Request, seconds: float = 50) -> Failure:
        with pytest.raises(ContractError) as caught:
            await self.ask(request, seconds)
        return caught.value.failure

    @property
    def modules(self) -> list[str]:
        return [contract["routing"]["module"] for contract in self.contracts]


def completed(**changes: Any) -> End:
    return lambda contract: job("COMPLETED", output=an_answer(contract, **changes))


def swapped(**changes: Any) -> End:
    """The answer to another call."""
    other = {"trace_id": "11111111-1111-4111-8111-111111111111"}
    return lambda contract: completed(envelope={**an_answer(contract)["envelope"], **other}, **changes)(contract)


def ends(status: str, **fields: Any) -> End:
    return lambda contract: job(status, **fields)


def an_image() -> Request:
    payload = binary_payload("image", PNG, "image/png")
    return request_for("OCR_CORE", payload, {"lang": "es", "mode": "strict"}, trace_id=TRACE_ID, timestamp=START)


def read() -> End:
    return completed(result=READ)


def reports(code: str, *, retryable: bool, **details: Any) -> End:
    def end(contract: Mapping[str, Any]) -> httpx.Response:
        problem = {"code": code, "message": f"upstream words {KEY}", "retryable": retryable, "details": details}
        module = contract["routing"]["module"]
        attempt = {"module": module, "status": "ERROR", "duration_ms": 5, "error": problem}
        routing = {"module": module, "version": "1.0", "resolved": None, "attempts": [attempt]}
        output = an_answer(contract, status="ERROR", failure=problem, routing=routing)
        return job("COMPLETED", output={**output, "result": None})

    return end


def exhausted() -> End:
    """GRACE has walked the whole chain of OCR_CORE, each engine with a reason of its own."""

    def error(code: str, **details: Any) -> dict[str, Any]:
        return {"code": code, "message": "words", "retryable": True, "details": details}

    problems = {
        "OCR_LOCAL": error("MODULE_UNAVAILABLE"),
        "OCR_GROQ": error("RATE_LIMITED", retry_after_s=30),
        "OCR_OPENAI": error("MODULE_TIMEOUT"),
    }
    attempts = [
        {"module": name, "status": "ERROR", "duration_ms": 1, "error": problem} for name, problem in problems.items()
    ]
    routing = {"module": "OCR_CORE", "version": "1.0", "resolved": None, "attempts": attempts}
    changes: dict[str, Any] = {"status": "ERROR", "routing": routing, "failure": error("FALLBACK_EXHAUSTED")}
    return lambda contract: job("COMPLETED", output={**an_answer(contract, **changes), "result": None})
