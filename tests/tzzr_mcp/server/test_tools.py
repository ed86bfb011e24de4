"""Tools over the protocol, in both eras: results untouched, failures as one Spanish sentence, one deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from mcp import MCPError
from mcp.server.session import ServerSession

from tests.tzzr_mcp.server.tiny import (
    ERAS,
    Clients,
    Era,
    a_plugin,
    a_timeout,
    a_tool,
    crash,
    echo,
    lifespan_of,
    meta_of,
    output,
    refuse,
    sourceless,
    talking,
    text_of,
    wait,
)
from tzzr_mcp.checks.summary import MOST_ROWS
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.output import Column, Notice, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.server import tools
from tzzr_mcp.server.arguments import ArgumentCheck

both_eras = pytest.mark.parametrize("era", ERAS)


@both_eras
async def test_the_list_shows_schemas_annotations_and_source(era: Era) -> None:
    declared = a_tool(
        echo,
        read_only=False,
        destructive=True,
        idempotent=False,
        open_world=True,
        meta={"own": 1},
        questions=("¿Qué dice?",),
    )
    async with talking(era, declared) as (client, _):
        (tool,) = (await client.list_tools()).tools

    assert (tool.name, tool.title, tool.description) == ("echo", "Eco", "Repite el texto.")
    assert tool.input_schema["properties"]["veces"] == {"type": "integer", "minimum": 1, "maximum": 5}
    assert tool.output_schema is not None
    assert tool.output_schema["required"] == ["source", "data"]
    assert tool.output_schema["properties"]["data"]["required"] == ["said"]
    assert tool.annotations is not None
    assert tool.annotations.model_dump(by_alias=True) == {
        "title": "Eco",
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    assert tool.meta == {
        "tzzr/plugin": "tiny",
        "tzzr/source": {"name": "tiny", "kind": "computation"},
        "tzzr/questions": ["¿Qué dice?"],
        "own": 1,
    }


async def test_a_tool_without_questions_or_source_says_nothing_of_them() -> None:
    async with talking("auto") as (client, _):
        (tool,) = (await client.list_tools()).tools
    assert tool.meta == {"tzzr/plugin": "tiny", "tzzr/source": {"name": "tiny", "kind": "computation"}}


@both_eras
async def test_a_tool_with_an_output_schema_of_its_own_shows_it(era: Era) -> None:
    schema = {"type": "object", "properties": {"source": {"type": "object"}}, "required": ["source"]}
    async with talking(era, a_tool(echo, data_schema=None, output_schema=schema)) as (client, _):
        assert (await client.list_tools()).tools[0].output_schema == schema


@both_eras
async def test_a_result_is_passed_on_in_both_channels_with_meta_added(era: Era) -> None:
    async with talking(era) as (client, server):
        result = await client.call_tool("echo", {"texto": "ño👍", "veces": 2.0})

    assert not result.is_error
    assert text_of(result) == "ño👍ño👍"
    assert result.structured_content == {
        "source": {
            "name": "tiny",
            "kind": "computation",
            "retrieved_at": "2026-01-04T10:00:00.000Z",
            "simulated": False,
        },
        "data": {"said": "ño👍ño👍"},
    }
    assert meta_of(result) == {
        "tzzr/traceId": str(server.runtime.seams.dice.named("server").named("trace ids").uuid4()),
        "tzzr/durationMs": 0,
        "tzzr/simulated": False,
        "tzzr/invented": True,
    }


@both_eras
async def test_the_force_message_stays_out_of_the_text(era: Era) -> None:
    async def warn(call: Call[Any]) -> ToolOutput:
        return output(call, "resultado", notice=Notice("warning", "Atención"))

    async with talking(era, a_tool(warn)) as (client, _):
        result = await client.call_tool("echo", {"texto": "x"})
    assert text_of(result) == "resultado"
    assert result.structured_content is not None
    assert result.structured_content["notice"] == {"level": "warning", "text": "Atención"}


@both_eras
async def test_an_unknown_tool_is_a_protocol_error_that_names_the_nearest(era: Era) -> None:
    async with talking(era) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.call_tool("ecko", {})
    assert caught.value.error.code == -32602
    assert caught.value.error.message == 'No existe la herramienta "ecko"; ¿quiso decir "echo"?'
    assert caught.value.error.data == {"name": "ecko"}


@both_eras
async def test_a_refused_argument_is_a_result_and_the_tool_is_not_run(era: Era) -> None:
    clients = Clients()
    async with talking(era, plugin=a_plugin(lifespan=lifespan_of(clients))) as (client, _):
        result = await client.call_tool("echo", {"texto": "x", "veces": 6})

    assert result.is_error
    assert text_of(result) == "El argumento «veces» vale 6, pero se espera un valor entre 1 y 5."
    assert result.structured_content is None
    error = meta_of(result)["tzzr/error"]
    assert (error["code"], error["retryable"], error["details"]) == ("ARGUMENT_INVALID", False, {"argument": "veces"})
    assert clients.opened == 0


@both_eras
async def test_missing_arguments_are_an_empty_object(era: Era) -> None:
    async with talking(era) as (client, _):
        assert "Falta el argumento «texto»" in text_of(await client.call_tool("echo"))


@both_eras
async def test_a_failure_of_the_contract_is_told_in_its_own_words(era: Era) -> None:
    async with talking(era, a_tool(refuse)) as (client, _):
        result = await client.call_tool("echo", {"texto": "x"})
    assert result.is_error
    assert text_of(result) == "El servicio está ocupado. Espere un minuto."
    assert result.structured_content is None
    assert meta_of(result)["tzzr/error"] == {
        "code": "RATE_LIMITED",
        "message": "El servicio está ocupado. Espere un minuto.",
        "retryable": True,
        "details": {"retry_after_s": 60},
        "attempts": [],
    }


async def test_a_failure_inside_a_task_group_is_found() -> None:
    async def grouped(call: Call[Any]) -> ToolOutput:
        raise ExceptionGroup("group", [ContractError(Failure.of(Code.BUSY, "Ocupado."))])

    async with talking("auto", a_tool(grouped)) as (client, _):
        assert text_of(await client.call_tool("echo", {"texto": "x"})) == "Ocupado."


@both_eras
async def test_an_unforeseen_exception_is_logged_and_never_shown(era: Era, caplog: pytest.LogCaptureFixture) -> None:
    async with talking(era, a_tool(crash)) as (client, _):
        result = await client.call_tool("echo", {"texto": "x"})
    trace_id = meta_of(result)["tzzr/traceId"]
    assert result.is_error
    assert "swordfish" not in result.model_dump_json()
    assert text_of(result).endswith(f"comunique la referencia {trace_id}.")
    assert meta_of(result)["tzzr/error"]["code"] == "INTERNAL"
    assert "swordfish" in caplog.text
    messages = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert messages == [f"request {trace_id} failed unexpectedly"]


async def unsourced(call: Call[Any]) -> Any:
    return ToolOutput("x", {}, None)  # type: ignore[arg-type]  # what the server must refuse


@both_eras
@pytest.mark.parametrize(("run", "told"), [(sourceless, "devolvió dict"), (unsourced, "un resultado sin fuente")])
async def test_a_result_without_source_is_an_error(era: Era, run: Any, told: str) -> None:
    async with talking(era, a_tool(run)) as (client, _):
        result = await client.call_tool("echo", {"texto": "x"})
    assert result.is_error
    assert told in text_of(result)
    assert result.structured_content is None


def a_table(rows: int) -> Table:
    columns = [Column("mes", "Mes", "integer"), Column("saldo", "Saldo", "number")]
    return Table("saldos", "Saldos", columns, [[month, 1000.25 * month] for month in range(1, rows + 1)])


@both_eras
@pytest.mark.parametrize(("quoted", "is_error"), [(MOST_ROWS, False), (MOST_ROWS + 1, True)])
async def test_a_text_may_quote_a_few_rows_of_a_table_and_not_be_the_table(
    era: Era, quoted: int, is_error: bool
) -> None:
    async def quoting(call: Call[Any]) -> ToolOutput:
        table = a_table(30)
        return output(call, "\n".join(f"{month}: {saldo:,.2f}" for month, saldo in table.rows[:quoted]), tables=[table])

    async with talking(era, a_tool(quoting)) as (client, _):
        result = await client.call_tool("echo", {"texto": "x"})
    assert result.is_error is is_error
    assert ("repite 11 filas de la tabla «Saldos»" in text_of(result)) is is_error


@both_eras
async def test_a_tool_given_by_its_place_is_imported_at_its_first_call(era: Era) -> None:
    async with talking(era, a_tool("tests.tzzr_mcp.server.tiny:echo")) as (client, _):
        assert text_of(await client.call_tool("echo", {"texto": "x"})) == "x"


@both_eras
async def test_progress_reaches_the_client_that_asked_for_it(era: Era) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with talking(era, a_tool(wait)) as (client, _):
        await client.call_tool("echo", {"texto": "1"}, progress_callback=hear)
        await client.call_tool("echo", {"texto": "1"})
    assert heard == [(1, 2, "esperando")]


@both_eras
async def test_a_tool_that_overruns_is_ended_two_seconds_after_its_deadline(era: Era) -> None:
    async with talking(era, a_tool(wait)) as (client, server):
        result = await client.call_tool("echo", {"texto": "300"})
        assert len(server.runtime.running) == 0
    assert result.is_error
    assert "no terminó en el tiempo previsto" in text_of(result)
    assert meta_of(result)["tzzr/durationMs"] == 52_000


@pytest.mark.parametrize(("asked", "at_most_ms"), [(1500, 3500), (0.5, 2001), (90_000, 52_000)])
async def test_a_client_may_shorten_the_deadline_and_not_lengthen_it(asked: float, at_most_ms: int) -> None:
    async with talking("auto", a_tool(wait)) as (client, _):
        result = await client.call_tool("echo", {"texto": "300"}, meta=a_timeout(asked))
    assert meta_of(result)["tzzr/durationMs"] == at_most_ms


@pytest.mark.parametrize(("asked", "shown"), [("soon", '"soon"'), (-1, "-1"), (0, "0"), (True, "true"), ([1], "[1]")])
async def test_a_deadline_that_is_no_time_is_refused(asked: Any, shown: str) -> None:
    async with talking("auto") as (client, _):
        result = await client.call_tool("echo", {"texto": "x"}, meta=a_timeout(asked))
    assert result.is_error
    assert text_of(result) == (
        f"El valor de _meta «tzzr/timeoutMs» es {shown}, pero se espera un número de milisegundos mayor que cero."
    )
    assert meta_of(result)["tzzr/error"]["details"] == {"argument": "tzzr/timeoutMs"}


@both_eras
async def test_the_deadline_that_a_tool_sees_counts_from_the_request(era: Era) -> None:
    clients = Clients()
    environ = {"TINY_KEY": "k", "TZZR_CALL_TIMEOUT_S": "20"}
    async with talking(era, plugin=a_plugin(lifespan=lifespan_of(clients)), environ=environ) as (client, _):
        await client.call_tool("echo", {"texto": "x"})
        (call,) = clients.seen
        assert call.deadline.remaining() == 20
        assert call.remote is False
        assert call.arguments == {"texto": "x"}


@both_eras
async def test_a_tool_knows_the_trace_id_that_the_result_tells(era: Era) -> None:
    clients = Clients()
    async with talking(era, plugin=a_plugin(lifespan=lifespan_of(clients))) as (client, _):
        results = [await client.call_tool("echo", {"texto": "x"}) for _ in range(2)]
    assert [str(call.trace_id) for call in clients.seen] == [meta_of(result)["tzzr/traceId"] for result in results]


@both_eras
async def test_a_cancelled_call_leaves_nothing_behind_and_is_told_to_the_trace(era: Era) -> None:
    async with talking(era, a_tool(wait)) as (client, server):
        calling = asyncio.create_task(client.call_tool("echo", {"texto": "30"}))
        await server.runtime.seams.clock.sleep(1)
        assert len(server.runtime.running) == 1
        calling.cancel()
        await asyncio.wait([calling])
        await server.runtime.seams.clock.sleep(1)
        assert len(server.runtime.running) == 0
        kinds = [(event.kind, event.details.get("outcome")) for event in server.runtime.seams.trace]
    assert kinds == [("tool.start", None), ("tool.end", "CANCELLED")]


@both_eras
async def test_beyond_the_limit_the_answer_is_busy_at_once(era: Era) -> None:
    environ = {"TINY_KEY": "k", "TZZR_MAX_CALLS": "2"}
    async with talking(era, a_tool(wait), environ=environ) as (client, server):
        calls = [asyncio.create_task(client.call_tool("echo", {"texto": "5"})) for _ in range(2)]
        await server.runtime.seams.clock.sleep(1)
        refused = await client.call_tool("echo", {"texto": "5"})
        assert server.runtime.seams.clock.monotonic() < 2
        answered = await asyncio.gather(*calls)
        again = await client.call_tool("echo", {"texto": "5"})
    assert meta_of(refused)["tzzr/error"]["code"] == "BUSY"
    assert "El servidor ya atiende 2 peticiones, su límite." in text_of(refused)
    assert [text_of(result) for result in (*answered, again)] == ["hecho"] * 3


async def test_each_call_has_its_own_trace_id_and_two_events_in_the_trace() -> None:
    async with talking("auto", a_tool(echo), a_tool(refuse, name="refuse")) as (client, server):
        await client.call_tool("echo", {"texto": "x"})
        await client.call_tool("refuse", {"texto": "x"})
        events = [event.as_json() for event in server.runtime.seams.trace]
    assert {event["source"] for event in events} == {"server"}
    assert [(event["kind"], event["tool"], event.get("outcome")) for event in events] == [
        ("tool.start", "echo", None),
        ("tool.end", "echo", "OK"),
        ("tool.start", "refuse", None),
        ("tool.end", "refuse", "RATE_LIMITED"),
    ]
    assert events[0]["trace_id"] == events[1]["trace_id"] != events[2]["trace_id"]


async def test_a_call_is_one_line_in_the_log_without_its_arguments(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with talking("auto", a_tool(wait)) as (client, server):
        await server.runtime.seams.clock.sleep(1)
        result = await client.call_tool("echo", {"texto": "1.5"})
    messages = [record.getMessage() for record in caplog.records if record.name == "tzzr_mcp.server.tools"]
    assert messages == [f"echo OK in 1500 ms, trace {meta_of(result)['tzzr/traceId']}"]


async def test_a_tool_s_schema_is_compiled_at_its_first_call_and_never_again(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def counting(schema: Mapping[str, Any]) -> ArgumentCheck:
        compiled.append(schema["title"])
        return ArgumentCheck(schema)

    monkeypatch.setattr(tools, "ARGUMENT_CHECK", counting)
    both = [a_tool(echo, name=name, input_schema={"type": "object", "title": name}) for name in ("one", "two")]
    async with talking("auto", *both) as (client, _):
        assert compiled == []
        for name in ("one", "two", "one", "two"):
            await client.call_tool(name, {"texto": "x"})
    assert compiled == ["one", "two"]


async def test_the_sdk_finds_a_tool_s_schema_by_name() -> None:
    async with talking("auto") as (_, server):
        find = server.mcp.get_tool_input_schema
        assert find is not None
        assert find("echo") is server.registry.tools["echo"].item.input_schema
        assert find("nobody") is None


async def test_a_progress_that_cannot_be_delivered_does_not_fail_the_call() -> None:
    async def deaf(progress: float, total: float | None, message: str | None) -> None:
        raise RuntimeError("no ears")

    async with talking("auto", a_tool(wait)) as (client, _):
        assert text_of(await client.call_tool("echo", {"texto": "1"}, progress_callback=deaf)) == "hecho"


async def test_a_progress_that_fails_on_its_way_is_told_to_the_log_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def gone(session: ServerSession, progress: float, total: float | None, message: str | None) -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr(ServerSession, "report_progress", gone)
    caplog.set_level(logging.DEBUG, "tzzr_mcp.server.runtime")
    async with talking("auto", a_tool(wait)) as (client, _):
        result = await client.call_tool("echo", {"texto": "1"})
    (record,) = (record for record in caplog.records if record.name == "tzzr_mcp.server.runtime")
    assert text_of(result) == "hecho"
    assert record.getMessage() == f"progress of {meta_of(result)['tzzr/traceId']} was not delivered"
    assert record.exc_info is not None
    assert record.exc_info[0] is ConnectionError
