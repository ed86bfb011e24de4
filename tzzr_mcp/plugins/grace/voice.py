"""Tools of the family Voz: transcribir."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tzzr_mcp.output import Column, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.grace.asking import Body, ask, framed
from tzzr_mcp.plugins.grace.clients import GraceClients
from tzzr_mcp.plugins.grace.texts.languages import language
from tzzr_mcp.services.spanish import duration, number

Segments = Sequence[Mapping[str, Any]]


async def transcribir(call: Call[GraceClients]) -> ToolOutput:
    """ASR_ENGINE: what was said; with marcas_de_tiempo each stretch with its times."""
    answer = await ask("transcribir", call)
    result = answer.result
    timed = call.arguments.get("marcas_de_tiempo", False) and result["segments"]
    text = _timed(result["segments"]) if timed else result["text"]
    facts = [f"duración {duration(result['duration_s'])}", language(result["language"])]
    body = Body(text or "No se oye a nadie hablar en la grabación.", facts, _table(result["segments"]))
    return framed(call, answer, body)


def _timed(segments: Segments) -> str:
    return "\n".join(
        f"[{number(each['start_s'], 1)} s – {number(each['end_s'], 1)} s] {each['text']}" for each in segments
    )


def _table(segments: Segments) -> list[Table]:
    columns = [
        Column("comienzo", "Comienzo", "number", "s"),
        Column("final", "Final", "number", "s"),
        Column("texto", "Texto"),
        Column("confianza", "Confianza", "number"),
    ]
    keys = ("start_s", "end_s", "text", "confidence")
    rows = [[each[key] for key in keys] for each in segments]
    return [Table("tramos", "Tramos de la grabación", columns, rows)] if rows else []
