"""A GRACE that answers at once, for tests of the tools: remembers what it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from tests.tzzr_mcp.plugins.calls import Progressed, a_call
from tests.tzzr_mcp.services.worlds import new_seams
from tzzr_mcp.contract.errors import ContractError
from tzzr_mcp.contract.request import Request
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.grace.clients import GraceClients
from tzzr_mcp.plugins.grace.files import Files
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.answers import Answer
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.runpod import Listener


class AnsweringGrace:
    """Answers every request with one result, or fails with one error."""

    def __init__(
        self,
        result: Mapping[str, Any],
        *,
        attempts: Sequence[Mapping[str, Any]] | None = None,
        status: Literal["OK", "DEGRADED"] = "OK",
        invented: bool = False,
        simulated: bool = True,
        states: Sequence[JobState | tuple[JobState, str]] = (),
        error: ContractError | None = None,
    ) -> None:
        self._result, self._status, self._attempts = result, status, attempts
        self._invented, self._simulated = invented, simulated
        self._states, self._error = states, error
        self.asked: list[Request] = []

    async def run(self, request: Request, deadline: Deadline, listener: Listener) -> Answer:
        self.asked.append(request)
        for state in self._states:
            await listener(*(state if isinstance(state, tuple) else (state, "")))
        if self._error is not None:
            raise self._error
        module = request.routing.module
        attempts = self._attempts or [{"module": module, "status": "OK", "duration_ms": 12}]
        resolved = str(attempts[-1]["module"])
        return Answer(module, resolved, self._status, self._result, attempts, self._simulated, self._invented, 12)


def calling(
    grace: AnsweringGrace,
    arguments: Mapping[str, Any],
    progress: Progressed | None = None,
    *,
    files: Files | None = None,
    remote: bool = False,
) -> Call[GraceClients]:
    clients = GraceClients(cast("Grace", grace), files or Files([]))
    return a_call(clients, new_seams(), arguments, progress, remote=remote)
