"""What a person reads of each tool's answer, and what the screen gets."""

from __future__ import annotations

import base64
from typing import Any

import jsonschema
import pytest

from tests.tzzr_mcp.plugins.answering import AnsweringGrace, calling
from tests.tzzr_mcp.services.worlds import CATEGORY
from tzzr_mcp.output import ToolOutput, output_schema
from tzzr_mcp.plugins.grace.declarations import TOOLS
from tzzr_mcp.plugins.grace.semantic import clasificar, embeddings, resumir, traducir
from tzzr_mcp.plugins.grace.utilities import detectar_idioma, generar_hash
from tzzr_mcp.plugins.grace.vision import ocr
from tzzr_mcp.plugins.grace.voice import transcribir

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(16)).decode()
WAV = base64.b64encode(b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(20)).decode()
SCHEMAS = {tool.name: output_schema(tool.data_schema or {}) for tool in TOOLS}


def lines(tool: str, output: ToolOutput) -> list[str]:
    """The text without its last line; the structured content fits the tool's output schema."""
    jsonschema.validate(output.structured(), SCHEMAS[tool])
    return output.text.splitlines()[:-1]


def rows(output: ToolOutput, table: str) -> Any:
    return next(each.rows for each in output.tables if each.id == table)


async def test_clasificar_shows_the_category_the_next_ones_and_a_chart() -> None:
    output = await clasificar(calling(AnsweringGrace(CATEGORY), {"texto": "x"}))
    assert lines("clasificar", output) == ["Categoría: factura (confianza 0,75)", "Otras posibles: contrato 0,25"]
    assert rows(output, "categorias") == [["factura", 0.75], ["contrato", 0.25]]
    assert [(chart.kind, chart.x, chart.y) for chart in output.charts] == [("bar", "nombre", ["confianza"])]


async def test_clasificar_without_alternatives_shows_none() -> None:
    result = {"category": "a", "confidence": 1.0, "alternatives": []}
    output = await clasificar(calling(AnsweringGrace(result), {"texto": "x"}))
    assert lines("clasificar", output) == ["Categoría: a (confianza 1,00)"]


async def test_resumir_shows_the_summary_and_its_length() -> None:
    result = {"summary": "Vence en abril.", "words": 3, "compression": 0.125}
    output = await resumir(calling(AnsweringGrace(result), {"texto": "x", "formato": "puntos", "max_palabras": 50}))
    assert lines("resumir", output) == ["Vence en abril."]
    assert output.text.splitlines()[-1].startswith("3 palabras · 12 % del original · fuente: GRACE/SUMMARIZER")


async def test_traducir_shows_the_text_and_the_languages() -> None:
    result = {"text": "Hello", "source_lang": "es", "target_lang": "xx"}
    output = await traducir(calling(AnsweringGrace(result), {"texto": "Hola", "idioma_destino": "en"}))
    assert lines("traducir", output) == ["Hello"]
    assert output.text.splitlines()[-1].startswith("español (es) → xx · ")


async def test_embeddings_keeps_the_numbers_out_of_the_text() -> None:
    vector = [1.0] + [0.0] * 63
    result = {"vectors": [vector], "dimensions": 64, "model": "m", "normalized": True}
    output = await embeddings(calling(AnsweringGrace(result), {"texto": "x"}))
    expected = ["1 vector de 64 números y norma 1; va completo en los datos del resultado."]
    assert lines("embeddings", output) == expected
    assert output.data["vectors"] == [vector]


@pytest.mark.parametrize(("others", "charts"), [([], 0), ([{"language": "pt", "confidence": 0.1}], 1)])
async def test_detectar_idioma_shows_the_language_by_name(others: list[dict[str, Any]], charts: int) -> None:
    result = {"language": "gl", "confidence": 0.9, "alternatives": others}
    output = await detectar_idioma(calling(AnsweringGrace(result), {"texto": "x"}))
    assert lines("detectar_idioma", output) == ["Idioma: gallego (gl), confianza 0,90"]
    assert len(output.charts) == charts


async def test_generar_hash_shows_algorithm_digest_and_size() -> None:
    result = {"algorithm": "sha256", "digest": "ab" * 32, "size_bytes": 1}
    output = await generar_hash(calling(AnsweringGrace(result), {"texto": "x"}))
    assert lines("generar_hash", output) == [f"sha256: {'ab' * 32}"]
    assert "1 byte · " in output.text


def a_page(number: int, text: str) -> dict[str, Any]:
    return {"page": number, "text": text, "width_px": 800, "height_px": 600, "confidence": 0.875}


@pytest.mark.parametrize(
    ("text", "shown"), [("Total factura", "Total factura"), ("", "No se encontró texto en la imagen.")]
)
async def test_ocr_shows_the_text_or_that_there_is_none(text: str, shown: str) -> None:
    result = {"text": text, "confidence": 0.875, "language": "es", "pages": [a_page(1, text), a_page(2, "")]}
    output = await ocr(calling(AnsweringGrace(result), {"imagen_base64": PNG}))
    assert lines("ocr", output) == [shown]
    assert output.text.splitlines()[-1].startswith("2 páginas · español (es) · confianza 0,88 · ")
    assert rows(output, "paginas")[0] == [1, 800, 600, 0.875, text]


SEGMENTS = [
    {"start_s": 0.0, "end_s": 1.5, "text": "Hola.", "confidence": 0.9},
    {"start_s": 1.5, "end_s": 2.0, "text": "Adiós.", "confidence": 0.8},
]


def speech(text: str, segments: list[dict[str, Any]]) -> dict[str, Any]:
    return {"text": text, "language": "es", "duration_s": 2.0, "segments": segments}


async def test_transcribir_shows_the_text_and_the_segments_as_a_table() -> None:
    output = await transcribir(calling(AnsweringGrace(speech("Hola. Adiós.", SEGMENTS)), {"audio_base64": WAV}))
    assert lines("transcribir", output) == ["Hola. Adiós."]
    assert rows(output, "tramos") == [[0.0, 1.5, "Hola.", 0.9], [1.5, 2.0, "Adiós.", 0.8]]


async def test_transcribir_with_times_shows_each_stretch() -> None:
    arguments = {"audio_base64": WAV, "marcas_de_tiempo": True}
    output = await transcribir(calling(AnsweringGrace(speech("Hola. Adiós.", SEGMENTS)), arguments))
    assert lines("transcribir", output) == ["[0,0 s – 1,5 s] Hola.", "[1,5 s – 2,0 s] Adiós."]


async def test_transcribir_of_silence_says_so() -> None:
    arguments = {"audio_base64": WAV, "marcas_de_tiempo": True}
    output = await transcribir(calling(AnsweringGrace(speech("", [])), arguments))
    assert lines("transcribir", output) == ["No se oye a nadie hablar en la grabación."]
    assert output.tables == []
