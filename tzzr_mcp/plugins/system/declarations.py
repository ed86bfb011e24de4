"""The tool and the resource of the server itself, as MCP shows them. Imports nothing that runs."""

from __future__ import annotations

from typing import Any, Final

from tzzr_mcp.plugins.api import DeclaredSource, Plugin, Resource, Tool

_PACKAGE: Final = "tzzr_mcp.plugins.system"

_TEXT: Final = {"type": "string"}
_LISTED: Final = {
    "type": "object",
    "properties": {
        "uri": {**_TEXT, "description": "Dirección; en una plantilla, con sus variables entre llaves"},
        "titulo": _TEXT,
        "descripcion": _TEXT,
        "tipo_mime": _TEXT,
        "plantilla": {"type": "boolean", "description": "Si hay que sustituir sus variables antes de abrirlo"},
    },
    "required": ["uri", "titulo", "descripcion", "tipo_mime", "plantilla"],
}

ARGUMENTS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "uri": {
            "title": "URI",
            "description": "Recurso que se quiere abrir; sin él se listan todos.",
            "type": "string",
            "minLength": 1,
            "maxLength": 2000,
        }
    },
    "additionalProperties": False,
}
"""The arguments of ``explorar_recursos``."""

RESULT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "recursos": {"type": "array", "items": _LISTED, "description": "Lo que hay; vacío si se abrió uno"},
        "uri": {"type": ["string", "null"], "description": "El recurso abierto"},
        "contenido": {"type": ["string", "null"], "description": "Su contenido"},
    },
    "required": ["recursos", "uri", "contenido"],
}
"""The data of ``explorar_recursos``."""

plugin: Final = Plugin(
    name="system",
    description="El propio servidor: sus recursos y el estado de los servicios.",
    tools=(
        Tool(
            name="explorar_recursos",
            title="Explorar los recursos",
            description=(
                "Lista los recursos de este servidor (bibliotecas de tags, módulos, estado, contexto de agentes) con lo que "
                "contiene cada uno; con «uri» abre uno y da su contenido. Úsela cuando no pueda leer recursos MCP "
                "directamente."
            ),
            input_schema=ARGUMENTS,
            data_schema=RESULT,
            source=DeclaredSource("Servidor TZZR", "computation"),
            run=f"{_PACKAGE}.tools:explorar_recursos",
            questions=("¿Qué recursos de datos abiertos hay?",),
        ),
    ),
    resources=(
        Resource(
            uri="tzzr://servers/status",
            name="servers-status",
            title="Estado de los servicios",
            description="Si GRACE, HST y el gestor de contexto responden ahora, y en cuánto tiempo.",
            read=f"{_PACKAGE}.resources:read_status",
        ),
    ),
)
