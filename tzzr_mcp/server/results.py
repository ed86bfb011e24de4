"""From what a plugin returns or raises to what MCP carries (CONTRACT §2 and §5)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from mcp import types as t

from tzzr_mcp.checks.summary import MOST_ROWS, repeated_rows
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.output import Source, ToolOutput


def success(output: ToolOutput, trace_id: UUID, duration_ms: int) -> t.CallToolResult:
    """The output, untouched, in its two channels; the core adds ``_meta`` alone."""
    meta = {"simulated": output.source.simulated, **output.meta}
    return t.CallToolResult(
        content=[t.TextContent(text=output.text)],
        structured_content=output.structured(),
        _meta={**_meta(trace_id, duration_ms), **{f"tzzr/{name}": value for name, value in meta.items()}},
    )


def refusal(failure: Failure, trace_id: UUID, duration_ms: int) -> t.CallToolResult:
    """One Spanish sentence; no structured content, because clients hold it to the output schema even on errors."""
    return t.CallToolResult(
        content=[t.TextContent(text=failure.message)],
        is_error=True,
        _meta={**_meta(trace_id, duration_ms), "tzzr/error": failure.as_json()},
    )


def sourced(output: object) -> ToolOutput:
    """``output``, when it keeps the contract of what a tool returns.

    Raises:
        ContractError: it is no `ToolOutput`, has no source (an error, not a warning: seed 2), or its text is no summary
            but repeats the rows of a table, which must not pass through a model (seed 1).
    """
    if not isinstance(output, ToolOutput):
        raise ContractError(_no_source(f"devolvió {type(output).__name__} en lugar de ToolOutput"))
    if not isinstance(output.source, Source):
        raise ContractError(_no_source("devolvió un resultado sin fuente"))
    for table in output.tables:
        if len(table.rows) > MOST_ROWS and (rows := repeated_rows(output.text, table.rows)) > MOST_ROWS:
            raise ContractError(_no_summary(table.title, rows))
    return output


def _no_source(what: str) -> Failure:
    text = f"El resultado no se muestra porque no declara de dónde procede: la herramienta {what}. Avise a quien la mantiene."
    return Failure(Code.INTERNAL, text, retryable=False)


def _no_summary(title: str, rows: int) -> Failure:
    text = (
        f"El resultado no se muestra porque su texto repite {rows} filas de la tabla «{title}» y puede citar {MOST_ROWS}, "
        "como mucho: el texto es un resumen para el modelo. Avise a quien mantiene la herramienta."
    )
    return Failure(Code.INTERNAL, text, retryable=False)


def _meta(trace_id: UUID, duration_ms: int) -> dict[str, Any]:
    return {"tzzr/traceId": str(trace_id), "tzzr/durationMs": duration_ms}
