"""One result model per module, with the numeric laws of contract §4 as validators.

Descriptions are Spanish: they reach MCP clients in the tools' output schemas. Confidences are in [0, 1],
durations in seconds, spans half-open `[start, end)` in Unicode code points of the text that was sent.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from tzzr_mcp.contract.catalogue import BASE64_PATTERN, DIGEST_SIZES, MODULES
from tzzr_mcp.contract.extraction import FieldsResult
from tzzr_mcp.contract.shapes import (
    Growing,
    Lang,
    NonNegative,
    OneOf,
    Positive,
    Ratio,
    Seconds,
    Violation,
    Whole,
    refuse,
)

TOLERANCE: Final = 1e-6
"""How far a sum of confidences or a norm may be from 1, and a time from its bound (contract §4)."""


class Category(Growing):
    """Una categoría posible."""

    category: str = Field(min_length=1, description="Categoría")
    confidence: Ratio = Field(description="Confianza, de 0 a 1")


class ClassifierResult(Growing):
    """Categoría de un texto; las confianzas suman 1."""

    category: str = Field(min_length=1, description="Categoría elegida")
    confidence: Ratio = Field(description="Confianza, de 0 a 1")
    alternatives: list[Category] = Field(description="Las demás categorías")

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        total = math.fsum([self.confidence, *(other.confidence for other in self.alternatives)])
        if abs(total - 1) > TOLERANCE:
            refuse("ClassifierResult", [(("alternatives",), f"the confidences add up to {total:.9g}, not 1")])
        return self


class SummarizerResult(Growing):
    """Resumen de un texto."""

    summary: str = Field(min_length=1, description="Resumen")
    words: Positive = Field(description="Palabras del resumen")
    compression: NonNegative = Field(description="Palabras del resumen entre palabras del texto")


class TranslatorResult(Growing):
    """Traducción de un texto."""

    text: str = Field(min_length=1, description="Texto traducido")
    source_lang: Lang = Field(description="Idioma de origen (código ISO 639)")
    target_lang: Lang = Field(description="Idioma de destino (código ISO 639)")


class EmbeddingsResult(Growing):
    """Vectores de norma 1."""

    vectors: list[list[float]] = Field(min_length=1, description="Un vector por texto")
    dimensions: Annotated[int, Field(ge=64, le=1024), Whole] = Field(description="Números de cada vector")
    model: str = Field(min_length=1, description="Modelo que los calculó")
    normalized: Literal[True] = Field(description="La norma euclídea de cada vector es 1")

    @model_validator(mode="after")
    def _is_normalized(self) -> Self:
        refuse("EmbeddingsResult", self._vector_rules())
        return self

    def _vector_rules(self) -> Iterator[Violation]:
        for index, vector in enumerate(self.vectors):
            if len(vector) != self.dimensions:
                yield ("vectors", index), f"{len(vector)} numbers, not {self.dimensions}"
            elif abs((norm := math.hypot(*vector)) - 1) > TOLERANCE:
                yield ("vectors", index), f"its norm is {norm:.9g}, not 1"


class SentimentResult(Growing):
    """Tono de un texto."""

    label: Literal["positive", "neutral", "negative"] = Field(description="Positivo, neutro o negativo")
    score: float = Field(ge=-1, le=1, description="De -1 (negativo) a 1 (positivo)")


class Page(Growing):
    """Una página leída."""

    page: Positive = Field(description="Número de página, desde 1")
    text: str = Field(description="Texto de la página")
    width_px: Positive = Field(description="Ancho en píxeles")
    height_px: Positive = Field(description="Alto en píxeles")
    confidence: Ratio = Field(description="Confianza, de 0 a 1")


class OcrResult(Growing):
    """Texto leído en una imagen o un PDF."""

    text: str = Field(description="Todo el texto")
    confidence: Ratio = Field(description="Confianza, de 0 a 1")
    language: Lang = Field(description="Idioma del texto (código ISO 639; und si no se sabe)")
    pages: list[Page] = Field(min_length=1, description="Las páginas leídas")


class CaptionResult(Growing):
    """Descripción de una imagen."""

    caption: str = Field(min_length=1, description="Descripción")
    width_px: Positive = Field(description="Ancho en píxeles")
    height_px: Positive = Field(description="Alto en píxeles")


class Segment(Growing):
    """Un tramo de una transcripción."""

    start_s: Seconds = Field(description="Comienzo, en segundos")
    end_s: Seconds = Field(description="Final, en segundos")
    text: str = Field(description="Texto del tramo")
    confidence: Ratio = Field(description="Confianza, de 0 a 1")


class AsrResult(Growing):
    """Transcripción de una grabación."""

    text: str = Field(description="Todo el texto")
    language: Lang = Field(description="Idioma hablado (código ISO 639; und si no se sabe)")
    duration_s: Seconds = Field(description="Duración en segundos")
    segments: list[Segment] = Field(description="Tramos en orden, sin solaparse")

    @model_validator(mode="after")
    def _runs_forward(self) -> Self:
        refuse("AsrResult", self._segment_rules())
        return self

    def _segment_rules(self) -> Iterator[Violation]:
        for index, segment in enumerate(self.segments):
            if not segment.start_s <= segment.end_s <= self.duration_s + TOLERANCE:
                yield ("segments", index), "it ends before it starts or after the recording"
        for index, (before, after) in enumerate(pairwise(self.segments), start=1):
            if after.start_s < before.end_s - TOLERANCE:
                yield ("segments", index), "it starts before the one before it ends"


def _decodable(text: str) -> str:
    try:
        base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise PydanticCustomError("base64", "not base64") from error
    return text


class TtsResult(Growing):
    """Voz sintetizada."""

    audio_base64: Annotated[str, Field(pattern=BASE64_PATTERN), AfterValidator(_decodable)] = Field(
        description="Audio en base64"
    )
    media_type: Literal["audio/wav"] = Field(description="Tipo del audio")
    duration_s: Seconds = Field(description="Duración en segundos")


class Language(Growing):
    """Un idioma posible."""

    language: Lang = Field(description="Idioma (código ISO 639)")
    confidence: Ratio = Field(description="Confianza, de 0 a 1")


class LanguageResult(Growing):
    """Idioma de un texto."""

    language: Lang = Field(description="Idioma (código ISO 639; und si no se sabe)")
    confidence: Ratio = Field(description="Confianza, de 0 a 1")
    alternatives: list[Language] = Field(description="Otros idiomas posibles")


class HashResult(Growing):
    """Huella criptográfica de un contenido."""

    algorithm: Annotated[str, OneOf(tuple(DIGEST_SIZES))] = Field(description="Algoritmo")
    digest: str = Field(pattern=r"^[0-9a-f]+$(?!\n)", description="Huella en hexadecimal")
    size_bytes: Positive = Field(description="Tamaño del contenido en bytes")

    @model_validator(mode="after")
    def _has_the_length_of_its_algorithm(self) -> Self:
        length = 2 * DIGEST_SIZES[self.algorithm]
        if len(self.digest) != length:
            refuse("HashResult", [(("digest",), f"{len(self.digest)} digits, {self.algorithm} has {length}")])
        return self


_MODELS: Final[tuple[type[Growing], ...]] = (
    ClassifierResult,
    SummarizerResult,
    TranslatorResult,
    EmbeddingsResult,
    SentimentResult,
    OcrResult,
    CaptionResult,
    AsrResult,
    TtsResult,
    FieldsResult,
    LanguageResult,
    HashResult,
)
_BY_NAME: Final = {model.__name__: model for model in _MODELS}

RESULTS: Final[Mapping[str, type[Growing]]] = MappingProxyType(
    {name: _BY_NAME[module.result] for name, module in MODULES.items()}
)
"""Module to the model of its result."""
