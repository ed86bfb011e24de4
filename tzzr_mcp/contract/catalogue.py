"""The module catalogue of S-CONTRACT v2.1: one structure from which everything about a module is derived.

The tool map, the fallback chains, the parameters with their limits and defaults, the fakes' router,
`tzzr://grace/modules` and the property tests all read `MODULES`. Sources: seed §3.1 (tools) and §3.3 (chains),
contract §3 (the 18 rows) and §4 (parameters). Standard library only, because the fakes import it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

CONTRACT_VERSION: Final = "2.1"
MODULE_VERSION: Final = "1.0"

LIMIT_BYTES: Final = 7 * 1024 * 1024
"""Most bytes of decoded content: with base64 and envelope it fits RunPod's 10 MB for `/run` (contract §1)."""
LIMIT_BASE64: Final = 4 * -(-LIMIT_BYTES // 3)
"""Most characters of base64 content: what `LIMIT_BYTES` becomes, padded."""

MEDIA_TYPES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "text": (),
        "image": ("image/png", "image/jpeg", "image/tiff", "image/webp", "application/pdf"),
        "audio": ("audio/wav", "audio/mpeg", "audio/ogg", "audio/flac", "audio/mp4"),
        "binary": ("application/octet-stream",),
    }
)
"""Payload type to the media types that it may carry; text carries none (contract §1)."""

DATE_FIELDS: Final = ("fecha_emision", "fecha_vencimiento")
AMOUNT_FIELDS: Final = ("base_imponible", "tipo_iva", "cuota_iva", "retencion_irpf", "total")
FIELDS: Final = (
    "emisor_nombre",
    "emisor_nif",
    "receptor_nombre",
    "receptor_nif",
    "numero_factura",
    *DATE_FIELDS,
    *AMOUNT_FIELDS,
    "moneda",
    "iban",
)
"""The fourteen fields of FIELD_EXTRACTOR, in the order of contract §4."""

DIGEST_SIZES: Final[Mapping[str, int]] = MappingProxyType({"sha256": 32, "sha512": 64, "sha3_256": 32, "blake2b": 64})
"""HASHER algorithm to the bytes of its digest."""

# `$(?!\n)`: Python's `$` also matches before a last line break, ECMA's does not; this form means the same in both.
LANG_PATTERN: Final = r"^[a-z]{2,3}$(?!\n)"
"""A BCP 47 primary subtag."""
LANG_OR_AUTO_PATTERN: Final = r"^([a-z]{2,3}|auto)$(?!\n)"
TEXT_PATTERN: Final = r"^[^\x00\ud800-\udfff]*[^\s\x00\ud800-\udfff][^\x00\ud800-\udfff]*$(?!\n)"
"""Text that can be sent: something but white space, no NUL, no lone surrogate."""
BASE64_PATTERN: Final = r"^[A-Za-z0-9+/]+={0,2}$(?!\n)"
"""Standard alphabet, padded, no line breaks (that the length is a multiple of four is beyond a pattern)."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a module: its name on the wire, its JSON Schema, and what leaving it out means."""

    name: str
    schema: Mapping[str, Any]
    default: object = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """One row of the catalogue. `accepts` holds payload types; `threshold` is a confidence in [0, 1].

    `summary` is Spanish, for the MCP user; `result` names the result's definition in the response schema.

    In strict mode an answer whose confidence (for speech: the mean over its segments) lies under
    `threshold` is the failure LOW_CONFIDENCE. None: the module has no confidence to judge.

    `written` is the field of the result that holds a long text, which may come in parts (contract §2); None: none.
    """

    name: str
    family: str
    summary: str
    result: str
    tool: str | None = None
    accepts: frozenset[str] = frozenset({"text"})
    chain: tuple[str, ...] = ()
    params: tuple[Param, ...] = ()
    threshold: float | None = None
    written: str | None = None

    @property
    def media_types(self) -> tuple[str, ...]:
        """Every media type that the module takes, in the order of `MEDIA_TYPES`."""
        return tuple(media for kind, types in MEDIA_TYPES.items() if kind in self.accepts for media in types)

    @property
    def defaults(self) -> dict[str, object]:
        """The value that each optional parameter has when it is left out, where there is one."""
        return {param.name: param.default for param in self.params if param.default is not None}

    def param(self, name: str) -> Param:
        """The parameter called `name`; KeyError when the module has none of that name."""
        return {param.name: param for param in self.params}[name]


SEMANTIC: Final = "Semántica"
VISION: Final = "Visión"
VOICE: Final = "Voz"
UTILITIES: Final = "Utilidades"

_IMAGE: Final = frozenset({"image"})
_AUDIO: Final = frozenset({"audio"})

_LABEL: Final = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": TEXT_PATTERN}
_CATEGORIES = Param(
    "categories", {"type": "array", "items": _LABEL, "minItems": 2, "maxItems": 50, "uniqueItems": True}
)
_MAX_WORDS = Param("max_words", {"type": "integer", "minimum": 10, "maximum": 1000}, default=120)
_STYLE = Param("style", {"type": "string", "enum": ["paragraph", "bullets"]}, default="paragraph")
_TARGET = Param("target_lang", {"type": "string", "pattern": LANG_PATTERN}, required=True)
_DIMENSIONS = Param("dimensions", {"type": "integer", "minimum": 64, "maximum": 1024}, default=384)
_PAGE: Final = {"type": "integer", "minimum": 1, "maximum": 100_000}
_PAGES = Param("pages", {"type": "array", "items": _PAGE, "minItems": 1, "maxItems": 1000, "uniqueItems": True})
_TIMESTAMPS = Param("timestamps", {"type": "boolean"}, default=False)
_VOICE = Param("voice", {"type": "string", "minLength": 1, "maxLength": 64, "pattern": TEXT_PATTERN})
_FIELD: Final = {"type": "string", "enum": list(FIELDS)}
_FIELDS = Param("fields", {"type": "array", "items": _FIELD, "minItems": 1, "maxItems": 14, "uniqueItems": True})
_ALGORITHM = Param("algorithm", {"type": "string", "enum": list(DIGEST_SIZES)}, default="sha256")

_OCR_CHAIN: Final = ("OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI")
_ASR_CHAIN: Final = ("ASR_WHISPER_LOCAL", "ASR_FASTER_WHISPER", "ASR_GROQ")


def _ocr(name: str, summary: str, tool: str | None = None, chain: tuple[str, ...] = ()) -> Module:
    return Module(name, VISION, summary, "OcrResult", tool, _IMAGE, chain, (_PAGES,), 0.6, "text")


def _asr(name: str, summary: str, tool: str | None = None, chain: tuple[str, ...] = ()) -> Module:
    return Module(name, VOICE, summary, "AsrResult", tool, _AUDIO, chain, (_TIMESTAMPS,), 0.5, "text")


_ROWS: Final = (
    Module(
        "CLASSIFIER",
        SEMANTIC,
        "Asigna una categoría a un texto, con su confianza.",
        "ClassifierResult",
        "clasificar",
        params=(_CATEGORIES,),
        threshold=0.3,
    ),
    Module(
        "SUMMARIZER",
        SEMANTIC,
        "Resume un texto.",
        "SummarizerResult",
        "resumir",
        params=(_MAX_WORDS, _STYLE),
        written="summary",
    ),
    Module(
        "TRANSLATOR",
        SEMANTIC,
        "Traduce un texto a otro idioma.",
        "TranslatorResult",
        "traducir",
        params=(_TARGET,),
        written="text",
    ),
    Module(
        "EMBEDDINGS",
        SEMANTIC,
        "Convierte un texto en un vector normalizado.",
        "EmbeddingsResult",
        "embeddings",
        params=(_DIMENSIONS,),
    ),
    Module("SENTIMENT", SEMANTIC, "Mide si un texto es positivo, neutro o negativo.", "SentimentResult"),
    _ocr("OCR_CORE", "Lee el texto de una imagen o de un PDF; prueba su cadena en orden.", "ocr", _OCR_CHAIN),
    _ocr("OCR_LOCAL", "Lectura de imágenes con el motor local."),
    _ocr("OCR_GROQ", "Lectura de imágenes con Groq."),
    _ocr("OCR_OPENAI", "Lectura de imágenes con OpenAI."),
    Module("IMAGE_CAPTION", VISION, "Describe una imagen con una frase.", "CaptionResult", accepts=_IMAGE),
    _asr("ASR_ENGINE", "Transcribe una grabación; prueba su cadena en orden.", "transcribir", _ASR_CHAIN),
    _asr("ASR_WHISPER_LOCAL", "Transcripción con Whisper local."),
    _asr("ASR_FASTER_WHISPER", "Transcripción con Faster Whisper."),
    _asr("ASR_GROQ", "Transcripción con Groq."),
    Module("TTS_ENGINE", VOICE, "Lee un texto en voz alta.", "TtsResult", params=(_VOICE,)),
    Module(
        "FIELD_EXTRACTOR",
        UTILITIES,
        "Extrae los campos de una factura.",
        "FieldsResult",
        "extraer_campos",
        params=(_FIELDS,),
    ),
    Module(
        "LANG_DETECT", UTILITIES, "Detecta el idioma de un texto.", "LanguageResult", "detectar_idioma", threshold=0.4
    ),
    Module(
        "HASHER",
        UTILITIES,
        "Calcula la huella criptográfica de un contenido.",
        "HashResult",
        "generar_hash",
        accepts=frozenset(MEDIA_TYPES),
        params=(_ALGORITHM,),
    ),
)

MODULES: Final[Mapping[str, Module]] = MappingProxyType({module.name: module for module in _ROWS})
"""The 18 modules by name, in the order of contract §3."""

TOOLS: Final[Mapping[str, Module]] = MappingProxyType({module.tool: module for module in _ROWS if module.tool})
"""The nine MCP tools that GRACE answers, and the module of each (seed §3.1)."""


def module_of(tool: str) -> Module:
    """The module that an MCP tool is translated to; KeyError for a tool that is not GRACE's."""
    return TOOLS[tool]


def chain_of(name: str) -> tuple[str, ...]:
    """The modules that a request for `name` is tried on, in order: its chain, or itself alone."""
    return MODULES[name].chain or (name,)
