"""The Context Manager, port 5500 (contract §6). The seed calls it future work: all that knows it on our side is here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from tzzr_mcp.contract.errors import Code
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services.failures import from_upstream
from tzzr_mcp.services.http import Answer, Request, read_object
from tzzr_mcp.services.troubles import Trouble, UpstreamError
from tzzr_mcp.services.upstream import Upstream

AGENT_ID: Final = r"[A-Za-z0-9_-]{1,64}"
"""What an agent's id is made of."""

HEALTH: Final = Request("GET", "/health")

CODES: Final = {
    Trouble.UNREACHABLE: Code.CONTEXT_UNREACHABLE,
    Trouble.TIMEOUT: Code.CONTEXT_UNREACHABLE,
    Trouble.BROKEN: Code.CONTEXT_UNREACHABLE,
    Trouble.DEADLINE: Code.CONTEXT_UNREACHABLE,
    Trouble.RATE_LIMITED: Code.CONTEXT_RATE_LIMITED,
    Trouble.CIRCUIT_OPEN: Code.CIRCUIT_OPEN,
    Trouble.BUSY: Code.BUSY,
    Trouble.AUTH: Code.CONTEXT_AUTH,
    Trouble.FORBIDDEN: Code.CONTEXT_AUTH,
    Trouble.NOT_FOUND: Code.CONTEXT_NOT_FOUND,
    Trouble.TOO_LARGE: Code.CONTEXT_BAD_RESPONSE,
    Trouble.REFUSED: Code.CONTEXT_BAD_RESPONSE,
    Trouble.BAD_RESPONSE: Code.CONTEXT_BAD_RESPONSE,
}
"""What a trouble with the Context Manager means (contract §2)."""


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Fact(_Shape):
    """Something that is known to an agent."""

    key: str
    value: Any
    source: str | None


class Turn(_Shape):
    """Something that was said."""

    role: str
    text: str
    at: str


class AgentContext(_Shape):
    """What the Context Manager knows about one agent."""

    agent_id: str
    updated_at: str
    language: str
    goals: list[str]
    facts: list[Fact]
    recent: list[Turn]


@dataclass(frozen=True)
class Known:
    """What is known of an agent; ``simulated`` says that a fake told it."""

    context: AgentContext
    simulated: bool


class ContextManager:
    """The client of the Context Manager."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self._service = upstream.door.service

    async def context(self, agent_id: str, deadline: Deadline, trace_id: UUID) -> Known:
        """The context of the agent ``agent_id``.

        Raises:
            ContractError: one of the CONTEXT codes; an answer about another agent is CONTEXT_BAD_RESPONSE.
        """
        request = Request("GET", f"/v1/agents/{quote(agent_id, safe='')}/context")
        try:
            with self.upstream.seats.taken():
                return await self.upstream.ask(request, lambda answer: self._read(answer, agent_id), deadline, trace_id)
        except UpstreamError as error:
            raise from_upstream(error, CODES, "CONTEXT") from error

    def _read(self, answer: Answer, agent_id: str) -> Known:
        try:
            told = AgentContext.model_validate(read_object(self._service, answer))
        except ValidationError:
            told = None
        if told is None or told.agent_id != agent_id:
            raise UpstreamError(self._service, Trouble.BAD_RESPONSE, status=answer.status)
        return Known(told, answer.simulated)
