"""Settings in, a model out: the official clients, without their own retries, on a transport of the caller's choice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from tzzr_mcp.gateway.models.exchange import Model
from tzzr_mcp.gateway.models.patience import Patient
from tzzr_mcp.gateway.settings import GatewaySettings
from tzzr_mcp.seams import Seams

TIMEOUT = httpx2.Timeout(10.0, read=60.0, write=30.0)
"""Seconds to connect, to hear anything more, and to send a piece. The whole turn has its own limit."""


@asynccontextmanager
async def opened(
    settings: GatewaySettings, seams: Seams, transport: httpx2.AsyncBaseTransport | None = None
) -> AsyncIterator[Model]:
    """The model that ``settings`` name, until the block ends. ``transport`` is where its requests go, if not out.

    The clients' own retries wait on the wall clock, so they are off; `Patient` tries again on the seams' clock.
    """
    async with httpx2.AsyncClient(transport=transport, timeout=TIMEOUT, follow_redirects=True) as http:
        yield Patient(_adapter(settings, http), settings.model_attempts, seams)


def _adapter(settings: GatewaySettings, http: httpx2.AsyncClient) -> Model:
    key, url = settings.model_api_key.get_secret_value(), settings.model_base_url
    # Each client comes with an extra and takes a second to import: only the one that is used.
    if settings.model_api == "anthropic":
        import anthropic  # noqa: PLC0415

        from tzzr_mcp.gateway.models.anthropic import AnthropicModel  # noqa: PLC0415

        # This client adds /v1 itself; the same variable serves both dialects.
        base = url.rstrip("/").removesuffix("/v1") if url else None
        messages = anthropic.AsyncAnthropic(api_key=key, base_url=base, max_retries=0, http_client=http)
        return AnthropicModel(messages, settings.model_name, settings.model_max_tokens)
    import openai  # noqa: PLC0415

    from tzzr_mcp.gateway.models.openai import OpenAiModel  # noqa: PLC0415

    completions = openai.AsyncOpenAI(api_key=key, base_url=url, max_retries=0, http_client=http)
    return OpenAiModel(completions, settings.model_name, settings.model_max_tokens)
