"""What a tool's output and its failures become on the wire, and which outputs are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from tzzr_mcp.checks.summary import MOST_ROWS
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.output import Column, Source, Table, ToolOutput
from tzzr_mcp.server.results import refusal, sourced, success

TRACE_ID = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
ROWS: list[list[str | int]] = [[f"AAA{number}", f"Nombre {number}", 1000 + number] for number in range(40)]
COLUMNS = [Column("ref", "Ref"), Column("nombre", "Nombre"), Column("valor", "Valor", "integer")]


def an_output(text: str = "Hecho.", *, simulated: bool = False, **more: Any) -> ToolOutput:
    source = Source("GRACE", "service", datetime(2026, 1, 4, tzinfo=UTC), simulated=simulated)
    return ToolOutput(text, {"a": 1}, source, **more)


@pytest.mark.parametrize("simulated", [True, False])
def test_an_output_goes_out_as_text_and_structure_with_trace_time_and_whether_it_is_simulated(simulated: bool) -> None:
    output = an_output(simulated=simulated, meta={"cached": True})
    wire = success(output, TRACE_ID, 12).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert [block["text"] for block in wire["content"]] == ["Hecho."]
    assert wire["structuredContent"] == output.structured()
    assert not wire.get("isError")
    assert wire["_meta"] == {
        "tzzr/traceId": str(TRACE_ID),
        "tzzr/durationMs": 12,
        "tzzr/simulated": simulated,
        "tzzr/cached": True,
    }


def test_a_failure_goes_out_as_its_sentence_alone_with_the_rest_beside_it() -> None:
    failure = Failure.of(Code.BUSY, "Está ocupado.", limit=2)
    wire = refusal(failure, TRACE_ID, 3).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert [block["text"] for block in wire["content"]] == ["Está ocupado."]
    assert wire["isError"] is True
    assert "structuredContent" not in wire
    assert wire["_meta"] == {
        "tzzr/traceId": str(TRACE_ID),
        "tzzr/durationMs": 3,
        "tzzr/error": failure.as_json(),
    }


def refused(output: object) -> str:
    with pytest.raises(ContractError) as caught:
        sourced(output)
    assert (caught.value.failure.code, caught.value.failure.retryable) == (Code.INTERNAL, False)
    return caught.value.failure.message


def test_an_output_with_a_source_passes_as_it_is() -> None:
    output = an_output(tables=[Table("t", "Tags", COLUMNS, ROWS)])
    assert sourced(output) is output


def test_what_is_no_output_or_has_no_source_is_refused_with_the_reason() -> None:
    opening = "El resultado no se muestra porque no declara de dónde procede: la herramienta "
    assert refused({"text": "x"}) == f"{opening}devolvió dict en lugar de ToolOutput. Avise a quien la mantiene."
    bare = an_output()
    object.__setattr__(bare, "source", None)
    assert refused(bare) == f"{opening}devolvió un resultado sin fuente. Avise a quien la mantiene."


def test_a_text_may_cite_some_rows_of_a_table_and_not_one_more() -> None:
    def output(rows: int) -> ToolOutput:
        text = "\n".join(" ".join(map(str, row)) for row in ROWS[:rows])
        return an_output(text, tables=[Table("u", "Otra", COLUMNS, []), Table("t", "Tags", COLUMNS, ROWS)])

    assert sourced(output(MOST_ROWS)).text
    message = refused(output(MOST_ROWS + 1))
    assert f"su texto repite {MOST_ROWS + 1} filas de la tabla «Tags» y puede citar {MOST_ROWS}" in message
    assert message.endswith("Avise a quien mantiene la herramienta.")
