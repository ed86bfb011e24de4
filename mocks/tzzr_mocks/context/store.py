"""The Context Manager's state and rules, without HTTP."""

from __future__ import annotations

import hmac
import re
from typing import Any

from tzzr_mocks.context.errors import ContextError
from tzzr_mocks.context.schemas import AGENT_ID, AgentContext
from tzzr_mocks.context.seed import STARTING
from tzzr_mocks.control.errors import unknown


class ContextStore:
    """The contexts of agents. ``token`` is the bearer token that is right; None takes any, and none.

    A client that brings no token is let in unless ``token_required``.

    Raises:
        PlanError: there is no starting world of that name.
    """

    def __init__(self, starting: str = "default", token: str | None = None, *, token_required: bool = False) -> None:
        self._starting, self._token, self._required = starting, token, token_required
        self._agents: dict[str, AgentContext] = {}
        self.reset(starting)

    @property
    def token_required(self) -> bool:
        """Whether a client without a token is turned away."""
        return self._required

    def context_of(self, agent_id: str) -> AgentContext:
        """One agent's context.

        Raises:
            ContextError: 400 for an id that cannot be one, 404 for an agent that nobody knows.
        """
        if not re.fullmatch(AGENT_ID, agent_id):
            raise ContextError(400, "AGENT_ID_INVALID", "agent_id must be 1 to 64 of A-Z a-z 0-9 _ -")
        if agent_id not in self._agents:
            raise ContextError(404, "AGENT_UNKNOWN", f"no agent {agent_id}")
        return self._agents[agent_id]

    def authorise(self, authorization: str) -> None:
        """Let a client in by its Authorization header.

        Raises:
            ContextError: 401 for a wrong token, and for none where one is demanded.
        """
        if self._token is None or not (authorization or self._required):
            return
        if not hmac.compare_digest(authorization.encode(), f"Bearer {self._token}".encode()):
            raise ContextError(401, "UNAUTHORIZED", "a valid bearer token is needed")

    def put(self, context: AgentContext) -> None:
        """Know this agent from now on, or anew."""
        self._agents[context.agent_id] = context

    def reset(self, starting: str | None = None) -> None:
        """Go back to the starting world, or to another one.

        Raises:
            PlanError: there is none of that name.
        """
        name = starting or self._starting
        if name not in STARTING:
            raise unknown("starting world of context", name, STARTING)
        self._starting, self._agents = name, dict(STARTING[name])

    def snapshot(self) -> Any:
        """The whole state, for `restore`."""
        return dict(self._agents)

    def restore(self, state: Any) -> None:
        """Go back to a snapshot."""
        self._agents = dict(state)
