"""The fake of GRACE as one function: a request in, a response out, by way of RunPod's own API."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import cache
from typing import Any

from tests.tzzr_mocks.grace.caller import Caller, calling
from tests.tzzr_mocks.grace.contracts import binary_request, png, speech
from tzzr_mcp.contract.canonical import idempotency_key
from tzzr_mocks.network.virtual import new_virtual_loop


def _keyed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "envelope": {**document["envelope"], "idempotency_key": idempotency_key(document)}}


READABLE: Mapping[str, dict[str, Any]] = {
    "OCR_CORE": _keyed(binary_request("OCR_CORE", "image", "image/png", png())),
    "ASR_ENGINE": _keyed(binary_request("ASR_ENGINE", "audio", "audio/wav", speech())),
}
"""A request to each chain whose content every module of it can read."""


def failing(module: str, code: str) -> dict[str, Any]:
    """The fault that lets a module fail with a code."""
    return {"match": {"service": "grace", "module": module}, "effect": {"kind": "module_error", "code": code}}


class Grace:
    """A fake on virtual time that lives as long as the tests do; each question finds it as new."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=new_virtual_loop)
        self._open = AsyncExitStack()
        self._caller: Caller = self._runner.run(self._open.enter_async_context(calling()))
        self._caller.endpoint = "grace"

    def answer(self, document: Any, faults: Sequence[str | Mapping[str, Any]] = ()) -> Any:
        """The response to one request, with these faults in its way; the last part of what comes in parts."""
        fake = self._caller.fake
        fake.reset()
        fake.control.plan.clear()
        for fault in faults:
            fake.control.plan.add(fault)
        job = self._runner.run(self._caller.runsync(document))
        assert job["status"] == "COMPLETED", job
        output = job["output"]
        return output[-1] if isinstance(output, list) else output


@cache
def grace() -> Grace:
    """The one fake of this process."""
    return Grace()
