"""What the environment says about GRACE (seed §6.1, contract §6)."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from pydantic import Field, SecretStr, field_validator

from tzzr_mcp.plugins.api import PluginSettings
from tzzr_mcp.services.credentials import BaseUrl, Token
from tzzr_mcp.services.seats import SEATS


class GraceSettings(PluginSettings):
    """The settings of the plugin grace."""

    api_key: Token = Field(alias="RUNPOD_API_KEY", min_length=1, description="API key of RunPod, for GRACE")
    endpoint_id: str = Field(
        default="grace",
        alias="GRACE_ENDPOINT_ID",
        pattern=r"^[A-Za-z0-9_-]+$",
        description="RunPod endpoint that GRACE runs on",
    )
    base_url: BaseUrl = Field(
        default="https://api.runpod.ai/v2",
        alias="GRACE_BASE_URL",
        description="Base URL of RunPod's serverless API, without credentials",
    )
    request_timeout_s: float = Field(
        default=10.0, alias="GRACE_REQUEST_TIMEOUT_S", gt=0, le=300, description="Seconds for one request to RunPod"
    )
    stream: bool = Field(
        default=True,
        alias="GRACE_STREAM",
        description="Whether GRACE is asked for long texts in parts, for clients that want progress",
    )
    files_root: str = Field(
        default="",
        alias="TZZR_FILES_ROOT",
        description="Folders that the argument archivo may read from, parted as in PATH; none by default",
    )
    files_over_http: bool = Field(
        default=False, alias="TZZR_FILES_OVER_HTTP", description="Whether archivo works for clients over HTTP too"
    )
    max_calls: int = Field(
        default=SEATS,
        alias="GRACE_MAX_CALLS",
        ge=1,
        le=100_000,
        description="Calls about GRACE in flight before the answer is BUSY",
    )
    cache_ttl_s: float = Field(
        default=0.0,
        alias="GRACE_CACHE_TTL_S",
        ge=0,
        le=604_800,
        description="Seconds for which answers of modules that compute are kept, and asked for once at a time; 0 is off",
    )
    cache_bytes: int = Field(
        default=16 * 1024 * 1024,
        alias="GRACE_CACHE_BYTES",
        ge=0,
        le=2**34,
        description="Bytes of answers that are kept in memory at most",
    )
    cache_url: SecretStr | None = Field(
        default=None,
        alias="TZZR_CACHE_URL",
        description="Redis that keeps the answers instead, for several processes: redis://host:6379/0",
    )

    @field_validator("files_root")
    @classmethod
    def _folders(cls, value: str) -> str:
        for part in filter(None, map(str.strip, value.split(os.pathsep))):
            if not Path(os.path.expanduser(part)).is_dir():
                raise ValueError(f"names {part!r}, and no folder is there")
        return value

    @field_validator("cache_url")
    @classmethod
    def _reachable(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        if not value.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("should begin with redis://, rediss:// or unix://")
        if find_spec("redis") is None:
            raise ValueError("needs the extra redis: pip install 'mcp-server-tzzr[redis]'")
        return value
