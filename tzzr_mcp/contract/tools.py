"""What the nine GRACE tools take and give, as JSON Schema 2020-12 (contract §4 and §5). Texts are Spanish.

Limits and enumerations come from the catalogue, so that a tool cannot promise what its module refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from tzzr_mcp.contract import schemas
from tzzr_mcp.contract.catalogue import (
    FIELDS,
    LANG_OR_AUTO_PATTERN,
    LANG_PATTERN,
    LIMIT_BASE64,
    LIMIT_BYTES,
    MEDIA_TYPES,
    MODULES,
    module_of,
)

Schema = dict[str, Any]

STYLES: Final[Mapping[str, str]] = MappingProxyType({"parrafo": "paragraph", "puntos": "bullets"})
"""`formato` of `resumir` to the contract's `style`."""


def _described(title: str, description: str, **schema: Any) -> Schema:
    return {"title": title, "description": description, **schema}


def _param(tool: str, name: str, title: str, description: str) -> Schema:
    return _described(title, description, **module_of(tool).param(name).schema)


def _text(description: str) -> Schema:
    return _described("Texto", description, type="string", minLength=1, maxLength=LIMIT_BYTES)


def _lang(title: str, description: str, default: str) -> Schema:
    return _described(title, description, type="string", pattern=LANG_OR_AUTO_PATTERN, default=default)


def _base64(title: str, description: str) -> Schema:
    return _described(title, description, type="string", minLength=4, maxLength=LIMIT_BASE64, contentEncoding="base64")


def _media_type(kind: str) -> Schema:
    text = "Tipo MIME del contenido enviado en base64; si falta, se deduce de sus primeros bytes."
    return _described("Tipo MIME", text, type="string", enum=list(MEDIA_TYPES[kind]))


def _file(what: str) -> Schema:
    text = f"Ruta de {what} en la máquina del servidor, dentro de las carpetas permitidas (TZZR_FILES_ROOT)."
    return _described("Archivo", text, type="string", minLength=1, maxLength=4096)


def _object(properties: Schema, *required: str) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


_LANG: Final = _lang(
    "Idioma", "Idioma del texto: código ISO 639 de dos o tres letras, o auto para detectarlo.", default="es"
)

INPUT_SCHEMAS: Final[Mapping[str, Schema]] = MappingProxyType(
    {
        "clasificar": _object(
            {
                "texto": _text("Texto que se quiere clasificar."),
                "idioma": _LANG,
                "categorias": _param(
                    "clasificar",
                    "categories",
                    "Categorías",
                    "Categorías entre las que elegir; si faltan, se usan las propias del servicio.",
                ),
                "modo": _described(
                    "Modo",
                    "strict rechaza una respuesta de poca confianza; lenient la devuelve igualmente.",
                    type="string",
                    enum=["strict", "lenient"],
                    default="strict",
                ),
            },
            "texto",
        ),
        "resumir": _object(
            {
                "texto": _text("Texto que se quiere resumir."),
                "idioma": _LANG,
                "max_palabras": {
                    **_param("resumir", "max_words", "Máximo de palabras", "Palabras que puede tener el resumen."),
                    "default": module_of("resumir").defaults["max_words"],
                },
                "formato": _described(
                    "Formato",
                    "parrafo da un texto seguido; puntos, una lista.",
                    type="string",
                    enum=list(STYLES),
                    default="parrafo",
                ),
            },
            "texto",
        ),
        "ocr": _object(
            {
                "imagen_base64": _base64(
                    "Imagen", "Imagen o PDF en base64, sin saltos de línea; o bien este argumento, o bien archivo."
                ),
                "tipo_mime": _media_type("image"),
                "archivo": _file("la imagen o del PDF"),
                "idioma": _LANG,
                "paginas": _param("ocr", "pages", "Páginas", "Páginas que se leen, desde 1; si faltan, todas."),
            }
        ),
        "transcribir": _object(
            {
                "audio_base64": _base64(
                    "Audio", "Grabación en base64, sin saltos de línea; o bien este argumento, o bien archivo."
                ),
                "tipo_mime": _media_type("audio"),
                "archivo": _file("la grabación"),
                "idioma": _lang("Idioma", "Idioma hablado: código ISO 639, o auto para detectarlo.", default="auto"),
                "marcas_de_tiempo": {
                    **_param(
                        "transcribir", "timestamps", "Marcas de tiempo", "Si se quieren los tramos con sus tiempos."
                    ),
                    "default": module_of("transcribir").defaults["timestamps"],
                },
            }
        ),
        "traducir": _object(
            {
                "texto": _text("Texto que se quiere traducir."),
                "idioma_destino": _described(
                    "Idioma de destino", "Código ISO 639 de dos o tres letras.", type="string", pattern=LANG_PATTERN
                ),
                "idioma_origen": _lang("Idioma de origen", "Código ISO 639, o auto para detectarlo.", default="auto"),
            },
            "texto",
            "idioma_destino",
        ),
        "extraer_campos": _object(
            {
                "texto": _text("Texto de la factura."),
                "campos": _param(
                    "extraer_campos", "fields", "Campos", f"Campos que se extraen; si faltan, los {len(FIELDS)}."
                ),
                "idioma": _LANG,
            },
            "texto",
        ),
        "embeddings": _object(
            {
                "texto": _text("Texto que se convierte en un vector."),
                "dimensiones": {
                    **_param("embeddings", "dimensions", "Dimensiones", "Números del vector."),
                    "default": module_of("embeddings").defaults["dimensions"],
                },
            },
            "texto",
        ),
        "detectar_idioma": _object({"texto": _text("Texto cuyo idioma se quiere saber.")}, "texto"),
        "generar_hash": _object(
            {
                "texto": _text("Texto del que se calcula la huella; o bien este argumento, o bien contenido_base64."),
                "contenido_base64": _base64("Contenido", "Contenido binario en base64, sin saltos de línea."),
                "algoritmo": {
                    **_param("generar_hash", "algorithm", "Algoritmo", "Función de resumen criptográfico."),
                    "default": module_of("generar_hash").defaults["algorithm"],
                },
            }
        ),
    }
)
"""Tool to the schema of its arguments, in the order of contract §5."""


@cache
def data_schema(module: str) -> Schema:
    """The schema of a module's result, self-contained (no `$ref`), for the `data` of its tool's output schema."""
    definitions = schemas.load("response")["$defs"]
    described: Schema = _inlined(definitions[MODULES[module].result], definitions)
    return described


def _inlined(node: Any, definitions: Mapping[str, Schema]) -> Any:
    if isinstance(node, list):
        return [_inlined(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        named = _inlined(definitions[node["$ref"].rpartition("/")[2]], definitions)
        return {**named, **{key: value for key, value in node.items() if key != "$ref"}}
    return {key: _inlined(value, definitions) for key, value in node.items()}
