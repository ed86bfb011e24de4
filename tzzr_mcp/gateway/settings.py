"""What the gateway reads from the environment: its model, its server, its limits, and who may come in."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from tzzr_mcp.checks.environment import Reading, StartError, listed, several
from tzzr_mcp.checks.tokens import Token

ModelApi = Literal["openai", "anthropic"]
STDIO = "stdio:"


@dataclass(frozen=True)
class Limits:
    """What one turn may use, and how many there may be. A limit that is reached ends the turn, and says so.

    ``rounds`` are requests to the model, ``tokens`` those in and out after which no round is begun, ``tool_text`` the
    characters of one tool's text that the model gets, ``turns`` how many there may be at a time.
    """

    rounds: int = 8
    tool_calls: int = 16
    timeout_s: float = 120.0
    tokens: int = 200_000
    tool_text: int = 20_000
    turns: int = 256


class GatewaySettings(BaseModel):
    """Everything. Secrets are shown nowhere."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model_api: ModelApi = Field(
        "openai", alias="TZZR_MODEL_API", description="the model's dialect: openai or anthropic"
    )
    model_base_url: str | None = Field(
        None, alias="TZZR_MODEL_BASE_URL", description="where the model is; its maker's own address by default"
    )
    model_api_key: Token = Field(alias="TZZR_MODEL_API_KEY", description="key that the model asks for")
    model_name: str = Field(alias="TZZR_MODEL", description="the model's name")
    model_max_tokens: int = Field(
        4096, alias="TZZR_MODEL_MAX_TOKENS", ge=1, description="tokens that one answer of the model may have"
    )
    model_attempts: int = Field(
        3, alias="TZZR_MODEL_ATTEMPTS", ge=1, le=10, description="tries of one request to the model before it fails"
    )
    server: str = Field(
        alias="TZZR_GATEWAY_SERVER", description="the MCP server: stdio:COMMAND, http(s)://…/mcp or http(s)://…/sse"
    )
    server_token: Token | None = Field(
        None, alias="TZZR_GATEWAY_SERVER_TOKEN", description="bearer token that the MCP server asks for"
    )
    host: str = Field("127.0.0.1", alias="TZZR_GATEWAY_HOST", description="address to listen on")
    port: int = Field(
        8080, alias="TZZR_GATEWAY_PORT", ge=0, le=65535, description="port to listen on; 0 takes a free one"
    )
    token: Token | None = Field(
        None, alias="TZZR_GATEWAY_TOKEN", description="bearer token that callers must send; needed beyond this machine"
    )
    allowed_hosts: str = Field(
        "", alias="TZZR_GATEWAY_ALLOWED_HOSTS", description="names under which it may be reached, commas between"
    )
    allowed_origins: str = Field(
        "", alias="TZZR_GATEWAY_ALLOWED_ORIGINS", description="web origins whose pages may use it, commas between"
    )
    max_body: int = Field(
        4 * 2**20, alias="TZZR_GATEWAY_MAX_BODY", ge=1024, description="bytes that one request may have"
    )
    rounds: int = Field(
        Limits.rounds, alias="TZZR_GATEWAY_ROUNDS", ge=1, le=100, description="requests to the model within one turn"
    )
    tool_calls: int = Field(
        Limits.tool_calls, alias="TZZR_GATEWAY_TOOL_CALLS", ge=1, le=1000, description="tool calls within one turn"
    )
    timeout_s: float = Field(
        Limits.timeout_s,
        alias="TZZR_GATEWAY_TIMEOUT_S",
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="seconds that one turn may take",
    )
    tokens: int = Field(
        Limits.tokens,
        alias="TZZR_GATEWAY_TOKENS",
        ge=1,
        description="tokens, in and out, after which a turn asks the model no more",
    )
    tool_text: int = Field(
        Limits.tool_text,
        alias="TZZR_GATEWAY_TOOL_TEXT",
        ge=200,
        description="characters of one tool's text that the model gets",
    )
    turns: int = Field(
        Limits.turns,
        alias="TZZR_GATEWAY_MAX_TURNS",
        ge=1,
        le=100_000,
        description="turns at a time before the answer is busy",
    )

    @property
    def limits(self) -> Limits:
        """The limits alone."""
        return Limits(
            rounds=self.rounds,
            tool_calls=self.tool_calls,
            timeout_s=self.timeout_s,
            tokens=self.tokens,
            tool_text=self.tool_text,
            turns=self.turns,
        )

    @field_validator("model_api", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("model_base_url")
    @classmethod
    def _url(cls, value: str | None) -> str | None:
        if value is not None and not is_web(value):
            raise ValueError(f"it is no http or https URL, as in https://{value.split('//')[-1][:60]}")
        return value

    @field_validator("server")
    @classmethod
    def _reachable(cls, value: str) -> str:
        if value.startswith(STDIO):
            if not shlex.split(value.removeprefix(STDIO)):
                raise ValueError("no command after stdio:, as in stdio:mcp-server-tzzr")
        elif not is_web(value):
            raise ValueError("it is stdio:COMMAND or an http or https URL, as in http://127.0.0.1:8000/mcp")
        return value

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """The settings.

        Raises:
            StartError: something is missing or wrong; the message lists all of it, and never shows a secret.
        """
        reading = Reading(environ)
        settings = reading.read("gateway", cls)
        if settings is None:
            raise StartError(_told(reading))
        return settings


def is_web(url: str) -> bool:
    """Whether it is an http or https URL with a host."""
    parts = urlsplit(url.strip())
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def _told(reading: Reading) -> str:
    problems, missing = list(reading.wrong), list(reading.missing)
    if missing:
        problems.append(f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} not set")
    return (
        several(problems, "settings are wrong") + "\n  All settings: docs/gateway.md. Offline, with no key: tzzr chat"
    )
