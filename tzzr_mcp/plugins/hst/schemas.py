"""What the tools of HST take and give (contract §5 and §6)."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]

ALL: Final = "todas"
"""The value of ``biblioteca`` that means every library."""


def _object(required: Schema, **rest: Any) -> Schema:
    return {"type": "object", "properties": required, "required": list(required), **rest}


def _told(kind: str | list[str], description: str) -> Schema:
    return {"type": kind, "description": description}


TAG: Final = _object(
    {
        "biblioteca": {
            "enum": ["hst", "spe", "flg"],
            "description": "Biblioteca: hst (base), spe (iluminación) o flg (países)",
        },
        "id": _told("integer", "Identificador en Directus"),
        "ref": _told("string", "Referencia, única en las tres bibliotecas"),
        "nombre": _told("string", "Nombre"),
        "nombre_en": _told(["string", "null"], "Nombre en inglés"),
        "descripcion": _told(["string", "null"], "Descripción"),
        "grupo": _told(["string", "null"], "Grupo"),
        "padre": _told(["string", "null"], "Referencia del tag del que depende"),
        "nivel": _told(["integer", "null"], "Nivel en la jerarquía"),
        "orden": _told(["integer", "null"], "Orden dentro de su grupo"),
        "activo": _told(["boolean", "null"], "Si está en uso"),
        "metadatos": {"description": "Datos adicionales, o nulo"},
        "date_created": _told(["string", "null"], "Fecha de creación"),
        "date_updated": _told(["string", "null"], "Fecha del último cambio"),
    }
)
"""One tag."""

SEARCH_RESULT: Final = _object(
    {
        "consulta": _told("string", "Lo que se buscó"),
        "biblioteca": _told("string", "Dónde se buscó"),
        "total": _told("integer", "Tags que coinciden"),
        "pagina": _told("integer", "Página que se muestra, desde 1"),
        "paginas": _told("integer", "Páginas que hay"),
        "limite": _told("integer", "Tags por página"),
        "tags": {"type": "array", "items": TAG, "description": "Los tags de esta página, del más al menos parecido"},
    }
)
"""The data of ``buscar_tags``."""

SEARCH: Final = {
    "type": "object",
    "properties": {
        "consulta": {
            "title": "Consulta",
            "description": "Referencia, nombre o parte del nombre; no importan mayúsculas ni acentos.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
        },
        "biblioteca": {
            "title": "Biblioteca",
            "description": "hst (tags base), spe (iluminación), flg (países) o todas.",
            "enum": [ALL, "hst", "spe", "flg"],
            "type": "string",
            "default": ALL,
        },
        "limite": {
            "title": "Límite",
            "description": "Tags por página.",
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 20,
        },
        "pagina": {
            "title": "Página",
            "description": "Página de resultados, desde 1.",
            "type": "integer",
            "minimum": 1,
            "maximum": 10_000,
            "default": 1,
        },
    },
    "required": ["consulta"],
    "additionalProperties": False,
}
"""The arguments of ``buscar_tags``."""

READ: Final = {
    "type": "object",
    "properties": {
        "ref": {
            "title": "Referencia",
            "description": "Referencia exacta del tag, como la da buscar_tags.",
            "type": "string",
            "minLength": 1,
            "maxLength": 100,
        }
    },
    "required": ["ref"],
    "additionalProperties": False,
}
"""The arguments of ``obtener_tag``."""
