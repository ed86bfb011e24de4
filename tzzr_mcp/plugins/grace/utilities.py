"""Tools of the family Utilidades: extraer_campos, detectar_idioma, generar_hash."""

from __future__ import annotations

from tzzr_mcp.output import ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.grace.asking import Body, ask, framed
from tzzr_mcp.plugins.grace.clients import GraceClients
from tzzr_mcp.plugins.grace.invoice import Invoice
from tzzr_mcp.plugins.grace.invoice_screen import chart_of, notice_of, tables_of
from tzzr_mcp.plugins.grace.semantic import bars, confidences
from tzzr_mcp.plugins.grace.texts.languages import language
from tzzr_mcp.services.spanish import counted, number


async def extraer_campos(call: Call[GraceClients]) -> ToolOutput:
    """FIELD_EXTRACTOR: an invoice as a person reads it, its fields, taxes and lines as tables."""
    answer = await ask("extraer_campos", call)
    invoice = Invoice(answer.result)
    tables = tables_of(invoice)
    body = Body(invoice.text(), invoice.facts(), tables, chart_of(tables), notice_of(invoice))
    return framed(call, answer, body)


async def detectar_idioma(call: Call[GraceClients]) -> ToolOutput:
    """LANG_DETECT: a language, its confidence, and the others as a table and a bar chart."""
    answer = await ask("detectar_idioma", call)
    result = answer.result
    ranking = [(result["language"], result["confidence"])]
    ranking += [(other["language"], other["confidence"]) for other in result["alternatives"]]
    named = [(language(code), confidence) for code, confidence in ranking]
    table = confidences("idiomas", "Idiomas por confianza", "Idioma", named)
    text = f"Idioma: {named[0][0]}, confianza {number(result['confidence'], 2)}"
    return framed(call, answer, Body(text, (), [table], [bars(table)] if len(named) > 1 else []))


async def generar_hash(call: Call[GraceClients]) -> ToolOutput:
    """HASHER: the digest, of which algorithm and of how many bytes."""
    answer = await ask("generar_hash", call)
    result = answer.result
    facts = [counted(result["size_bytes"], "byte", "bytes")]
    return framed(call, answer, Body(f"{result['algorithm']}: {result['digest']}", facts))
