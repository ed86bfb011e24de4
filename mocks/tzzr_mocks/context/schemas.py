"""The Context Manager's wire shapes (CONTRACT §6)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

AGENT_ID = r"[A-Za-z0-9_-]{1,64}"
"""What an agent's id is made of."""


class Fact(BaseModel):
    """Something that the agent knows, and where from."""

    key: str
    value: str
    source: str


class Turn(BaseModel):
    """One message of the recent conversation; ``at`` is RFC 3339 in UTC."""

    role: Literal["user", "assistant", "system"]
    text: str
    at: str


class AgentContext(BaseModel):
    """One agent's context; ``updated_at`` is RFC 3339 in UTC, ``language`` a BCP 47 primary subtag."""

    agent_id: str
    updated_at: str
    language: str
    goals: list[str]
    facts: list[Fact]
    recent: list[Turn]
