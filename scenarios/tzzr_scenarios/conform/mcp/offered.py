"""What TZZR's server offers, from its specification (§3 to §5) and contract §5: tools and their arguments, and the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True)
class Offered:
    """A tool: its arguments, those that are required, defaults, and values that are allowed."""

    arguments: frozenset[str]
    required: frozenset[str] = frozenset()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    allowed: Mapping[str, frozenset[str]] = field(default_factory=dict)


def _tool(names: str, required: str = "", *, allowed: Mapping[str, str] | None = None, **defaults: Any) -> Offered:
    listed = {name: frozenset(values.split()) for name, values in (allowed or {}).items()}
    return Offered(frozenset(names.split()), frozenset(required.split()), defaults, listed)


TOOLS: Final[Mapping[str, Offered]] = {
    "clasificar": _tool(
        "texto idioma categorias modo", "texto", allowed={"modo": "strict lenient"}, idioma="es", modo="strict"
    ),
    "resumir": _tool("texto idioma max_palabras formato", "texto", allowed={"formato": "parrafo puntos"}, idioma="es"),
    "ocr": _tool("imagen_base64 tipo_mime archivo idioma paginas", idioma="es"),
    "transcribir": _tool(
        "audio_base64 tipo_mime archivo idioma marcas_de_tiempo", idioma="auto", marcas_de_tiempo=False
    ),
    "traducir": _tool("texto idioma_destino idioma_origen", "texto idioma_destino", idioma_origen="auto"),
    "extraer_campos": _tool("texto campos idioma", "texto", idioma="es"),
    "embeddings": _tool("texto dimensiones", "texto"),
    "detectar_idioma": _tool("texto", "texto"),
    "generar_hash": _tool(
        "texto contenido_base64 algoritmo", allowed={"algoritmo": "sha256 sha512 sha3_256 blake2b"}, algoritmo="sha256"
    ),
    "buscar_tags": _tool(
        "consulta biblioteca limite pagina",
        "consulta",
        allowed={"biblioteca": "todas hst spe flg"},
        biblioteca="todas",
        limite=20,
        pagina=1,
    ),
    "obtener_tag": _tool("ref", "ref"),
    "explorar_recursos": _tool("uri"),
}
"""The twelve tools."""

RESOURCES: Final = (
    "tzzr://hst/tags/hst",
    "tzzr://hst/tags/spe",
    "tzzr://hst/tags/flg",
    "tzzr://grace/modules",
    "tzzr://servers/status",
)
TEMPLATES: Final = ("tzzr://hst/tag/{ref}", "tzzr://context/{agent_id}")
PROMPTS: Final[Mapping[str, Mapping[str, bool]]] = {
    "analizar_factura": {"texto_factura": True},
    "clasificar_documento": {"contenido": True, "contexto": False},
    "resumir_reunion": {"transcripcion": True},
}
"""Prompt to its arguments, and whether each is required."""

MODULES: Final = (
    "CLASSIFIER", "SUMMARIZER", "TRANSLATOR", "EMBEDDINGS", "SENTIMENT", "OCR_CORE", "OCR_LOCAL", "OCR_GROQ",
    "OCR_OPENAI", "IMAGE_CAPTION", "ASR_ENGINE", "ASR_WHISPER_LOCAL", "ASR_FASTER_WHISPER", "ASR_GROQ", "TTS_ENGINE",
    "FIELD_EXTRACTOR", "LANG_DETECT", "HASHER",
)  # fmt: skip
"""The eighteen modules that ``tzzr://grace/modules`` lists."""
