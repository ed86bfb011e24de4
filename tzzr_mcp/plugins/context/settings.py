"""What the environment says about the Context Manager (contract §6)."""

from __future__ import annotations

from pydantic import Field

from tzzr_mcp.plugins.api import PluginSettings
from tzzr_mcp.services.credentials import BaseUrl, Token
from tzzr_mcp.services.seats import SEATS


class ContextSettings(PluginSettings):
    """The settings of the plugin context."""

    base_url: BaseUrl = Field(
        default="http://localhost:5500",
        alias="CONTEXT_BASE_URL",
        description="Base URL of the Context Manager, without credentials",
    )
    token: Token | None = Field(
        default=None, alias="CONTEXT_TOKEN", description="Bearer token of the Context Manager, if it asks for one"
    )
    request_timeout_s: float = Field(
        default=10.0,
        alias="CONTEXT_REQUEST_TIMEOUT_S",
        gt=0,
        le=300,
        description="Seconds for one request to the Context Manager",
    )
    max_calls: int = Field(
        default=SEATS,
        alias="CONTEXT_MAX_CALLS",
        ge=1,
        le=100_000,
        description="Calls about the Context Manager in flight before the answer is BUSY",
    )
