"""What the environment says about HST (seed §6.1, contract §6)."""

from __future__ import annotations

from pydantic import Field

from tzzr_mcp.plugins.api import PluginSettings
from tzzr_mcp.services.credentials import BaseUrl, Token
from tzzr_mcp.services.seats import SEATS


class HstSettings(PluginSettings):
    """The settings of the plugin hst."""

    token: Token = Field(alias="HST_TOKEN", min_length=1, description="Static token of Directus, for HST")
    base_url: BaseUrl = Field(
        default="http://localhost:8055",
        alias="HST_BASE_URL",
        description="Base URL of Directus, without credentials",
    )
    request_timeout_s: float = Field(
        default=10.0, alias="HST_REQUEST_TIMEOUT_S", gt=0, le=300, description="Seconds for one request to Directus"
    )
    ttl_s: float = Field(
        default=300.0, alias="HST_CACHE_TTL_S", ge=0, le=86_400, description="Seconds for which tags are kept in memory"
    )
    max_calls: int = Field(
        default=SEATS,
        alias="HST_MAX_CALLS",
        ge=1,
        le=100_000,
        description="Calls about HST (Directus) in flight before the answer is BUSY",
    )
