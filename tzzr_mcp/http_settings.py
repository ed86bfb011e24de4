"""What the transports read from the environment: which of them serve, where, and who may come in."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import Field, SecretStr, field_validator

from tzzr_mcp.checks.environment import words
from tzzr_mcp.plugins.api import PluginSettings

Transport = Literal["stdio", "http", "sse"]
TRANSPORTS: tuple[Transport, ...] = get_args(Transport)


class HttpSettings(PluginSettings):
    """The settings of the transports. Those named ``TZZR_HTTP_`` and ``TZZR_OAUTH_`` matter over HTTP alone."""

    transport: str = Field(
        "stdio", alias="TZZR_TRANSPORT", description="stdio, http, sse, several with commas between, or all"
    )
    http_host: str = Field("127.0.0.1", alias="TZZR_HTTP_HOST", description="address to listen on")
    http_port: int = Field(
        8000, alias="TZZR_HTTP_PORT", ge=0, le=65535, description="port to listen on; 0 takes a free one"
    )
    http_token: SecretStr | None = Field(
        None, alias="TZZR_HTTP_TOKEN", description="bearer token that HTTP clients must send"
    )
    http_tokens_file: str | None = Field(
        None,
        alias="TZZR_HTTP_TOKENS_FILE",
        description="file of further tokens, one 'name token' a line; read anew when it changes",
    )
    http_allowed_hosts: str = Field(
        "", alias="TZZR_HTTP_ALLOWED_HOSTS", description="names under which clients may reach it, commas between"
    )
    http_allowed_origins: str = Field(
        "",
        alias="TZZR_HTTP_ALLOWED_ORIGINS",
        description="web origins whose pages may use it (CORS), commas between; none by default",
    )
    http_max_body: int = Field(
        10 * 2**20, alias="TZZR_HTTP_MAX_BODY", ge=1024, description="bytes that one request may have"
    )
    http_max_sessions: int = Field(
        2000, alias="TZZR_HTTP_MAX_SESSIONS", ge=1, description="sessions open at a time, on each transport"
    )
    http_session_idle_s: float = Field(
        1800.0,
        alias="TZZR_HTTP_SESSION_IDLE_S",
        gt=0,
        allow_inf_nan=False,
        description="seconds without a message after which a session is closed",
    )
    oauth_issuer: str | None = Field(
        None, alias="TZZR_OAUTH_ISSUER", description="authorization server whose tokens are accepted (its iss)"
    )
    oauth_jwks_url: str | None = Field(
        None, alias="TZZR_OAUTH_JWKS_URL", description="where the authorization server publishes its keys"
    )
    oauth_resource: str | None = Field(
        None, alias="TZZR_OAUTH_RESOURCE", description="this server's public URL, which tokens name as audience"
    )
    oauth_scopes: str = Field(
        "", alias="TZZR_OAUTH_SCOPES", description="scopes that an access token must have, blanks between"
    )

    @field_validator("transport")
    @classmethod
    def _known_transports(cls, value: str) -> str:
        unknown = [name for name in words(value) if name not in {*TRANSPORTS, "all"}]
        if unknown or not words(value):
            raise ValueError(f"it is one or several of {', '.join(TRANSPORTS)}, with commas between, or all")
        return value

    @field_validator("transport", mode="before")
    @classmethod
    def _lower_transport(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    def transports(self) -> frozenset[Transport]:
        """The transports that serve."""
        named = words(self.transport)
        return frozenset(each for each in TRANSPORTS if each in named or "all" in named)
