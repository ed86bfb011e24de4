"""The fake of GRACE as one function: a request in, a response out, by way of RunPod's own API."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import cache
from typing import Any

from tests.tzzr_mocks.grace.caller import Caller, calling
from tzzr_mocks.network.virtual import new_virtual_loop


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
