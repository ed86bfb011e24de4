"""Tools of the family Visión: ocr."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tzzr_mcp.output import Column, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.grace.asking import Body, ask, framed
from tzzr_mcp.plugins.grace.clients import GraceClients
from tzzr_mcp.plugins.grace.texts.languages import language
from tzzr_mcp.services.spanish import counted, number


async def ocr(call: Call[GraceClients]) -> ToolOutput:
    """OCR_CORE: the text of an image or a PDF, page by page."""
    answer = await ask("ocr", call)
    result = answer.result
    facts = [
        counted(len(result["pages"]), "página", "páginas"),
        language(result["language"]),
        f"confianza {number(result['confidence'], 2)}",
    ]
    text = result["text"] or "No se encontró texto en la imagen."
    return framed(call, answer, Body(text, facts, _pages(result["pages"])))


def _pages(pages: Sequence[Mapping[str, Any]]) -> list[Table]:
    columns = [
        Column("pagina", "Página", "integer"),
        Column("ancho", "Ancho", "integer", "px"),
        Column("alto", "Alto", "integer", "px"),
        Column("confianza", "Confianza", "number"),
        Column("texto", "Texto"),
    ]
    keys = ("page", "width_px", "height_px", "confidence", "text")
    return [Table("paginas", "Páginas leídas", columns, [[page[key] for key in keys] for page in pages])]
