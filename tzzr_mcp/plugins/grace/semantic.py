"""Tools of the family Semántica: clasificar, resumir, traducir, embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tzzr_mcp.output import Chart, Column, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.grace.asking import Body, ask, framed
from tzzr_mcp.plugins.grace.clients import GraceClients
from tzzr_mcp.plugins.grace.texts.languages import language
from tzzr_mcp.services.spanish import counted, number

SHOWN_ALTERNATIVES: Final = 3


async def clasificar(call: Call[GraceClients]) -> ToolOutput:
    """CLASSIFIER: a category, its confidence, and the others as a table and a bar chart."""
    answer = await ask("clasificar", call)
    result = answer.result
    ranking = [(result["category"], result["confidence"])]
    ranking += [(other["category"], other["confidence"]) for other in result["alternatives"]]
    text = f"Categoría: {result['category']} (confianza {number(result['confidence'], 2)})"
    table = confidences("categorias", "Categorías por confianza", "Categoría", ranking)
    return framed(call, answer, Body(_with_others(text, ranking[1:]), (), [table], [bars(table)]))


async def resumir(call: Call[GraceClients]) -> ToolOutput:
    """SUMMARIZER: the summary, and how much shorter it is."""
    answer = await ask("resumir", call)
    result = answer.result
    share = f"{number(result['compression'] * 100, 0)} % del original"
    facts = [counted(result["words"], "palabra", "palabras"), share]
    return framed(call, answer, Body(result["summary"], facts))


async def traducir(call: Call[GraceClients]) -> ToolOutput:
    """TRANSLATOR: the text, from and to which language."""
    answer = await ask("traducir", call)
    result = answer.result
    way = f"{language(result['source_lang'])} → {language(result['target_lang'])}"
    return framed(call, answer, Body(result["text"], [way]))


async def embeddings(call: Call[GraceClients]) -> ToolOutput:
    """EMBEDDINGS: the vectors are in the data, never in the text."""
    answer = await ask("embeddings", call)
    result = answer.result
    what = counted(len(result["vectors"]), "vector", "vectores")
    text = f"{what} de {result['dimensions']} números y norma 1; va completo en los datos del resultado."
    return framed(call, answer, Body(text, [f"modelo {result['model']}"]))


def confidences(table_id: str, title: str, what: str, ranking: Sequence[tuple[str, float]]) -> Table:
    """A table of things by confidence."""
    columns = [Column("nombre", what), Column("confianza", "Confianza", "number")]
    return Table(table_id, title, columns, [list(row) for row in ranking])


def bars(table: Table) -> Chart:
    """A table of `confidences` as a bar chart."""
    return Chart(f"{table.id}_barras", table.title, table.id, "bar", "nombre", ["confianza"])


def _with_others(text: str, others: Sequence[tuple[str, float]]) -> str:
    told = [f"{name} {number(confidence, 2)}" for name, confidence in others[:SHOWN_ALTERNATIVES]]
    return f"{text}\nOtras posibles: {' · '.join(told)}" if told else text
