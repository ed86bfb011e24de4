"""``tzzr://context/{agent_id}`` (seed §4.2)."""

from __future__ import annotations

import re
from typing import Final

from tzzr_mcp.contract.errors import ArgumentInvalid, Code, ContractError, shown
from tzzr_mcp.output import Source
from tzzr_mcp.plugins.api import Call, ResourceNotFound
from tzzr_mcp.services.context import AGENT_ID, ContextManager

SOURCE: Final = "Context Manager"


async def read_context(call: Call[ContextManager]) -> str:
    """An agent's context as JSON.

    Raises:
        ArgumentInvalid: no agent can have such an id; nothing is asked.
        ResourceNotFound: the Context Manager does not know the agent.
        ContractError: it could not be asked.
    """
    agent_id = str(call.arguments["agent_id"])
    if not re.fullmatch(AGENT_ID, agent_id):
        accepted = "de 1 a 64 letras, cifras, guiones y guiones bajos"
        message = f"El identificador de agente {shown(agent_id)} no es válido; se aceptan {accepted}."
        raise ArgumentInvalid("agent_id", message)
    try:
        known = await call.clients.context(agent_id, call.deadline, call.trace_id)
    except ContractError as error:
        if error.failure.code is Code.CONTEXT_NOT_FOUND:
            raise ResourceNotFound(error.failure.message) from error
        raise
    call.origins.append(Source(SOURCE, "service", call.seams.clock.now(), known.simulated))
    return known.context.model_dump_json()
