"""The template of the Context Manager, as MCP shows it. Imports nothing that runs."""

from __future__ import annotations

from typing import Final

from tzzr_mcp.plugins.api import Plugin, ResourceTemplate
from tzzr_mcp.plugins.context.settings import ContextSettings

_PACKAGE: Final = "tzzr_mcp.plugins.context"

plugin: Final = Plugin(
    name="context",
    description="Contexto de cada agente, del gestor de contexto.",
    settings=ContextSettings,
    templates=(
        ResourceTemplate(
            uri_template="tzzr://context/{agent_id}",
            name="context-agent",
            title="Contexto de un agente",
            description="Objetivos, datos y conversación reciente de un agente, por su identificador.",
            read=f"{_PACKAGE}.resources:read_context",
        ),
    ),
    lifespan=f"{_PACKAGE}.clients:lifespan",
    probes=(f"{_PACKAGE}.clients:probe",),
)
