"""The API: server-sent events, errors of one form, what a page needs beside the chat."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.gateway.reaching import an_api, asked
from tests.tzzr_mcp.gateway.scripted import ScriptedModel, a_gateway, asks, done, prose, says
from tests.tzzr_mcp.gateway.strangers import Stranger, a_strange_tool
from tests.tzzr_mcp.server.tiny import a_server, a_tool, echo, wait
from tzzr_mcp.gateway.api import create_app
from tzzr_mcp.gateway.api.stream import PING_S
from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.events import EVENT
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.seams import Seams
from tzzr_mocks.network.direct import DirectTransport

HELLO = {"messages": [{"role": "user", "content": "Hola"}]}


async def test_an_answer_comes_as_server_sent_events_that_end_with_done() -> None:
    model = ScriptedModel([asks("echo", texto="hola"), says("Dijo ", "hola.")])
    async with an_api(model, a_tool(echo)) as http:
        events = await asked(http, "Repite hola")
    assert [event.type for event in events] == ["tool", "tool", "text", "text", "done"]
    assert prose(events) == "Dijo hola."
    assert [message.role for message in done(events).messages] == ["assistant", "tool", "assistant"]


async def test_the_conversation_goes_on_with_the_messages_that_done_gave() -> None:
    model = ScriptedModel([asks("echo", texto="uno"), says("Uno."), says("Ya lo dije.")])
    async with an_api(model, a_tool(echo)) as http:
        first = done(await asked(http, "Di uno"))
        before = [message.model_dump(mode="json") for message in first.messages]
        second = await asked(http, "Di uno", *before, "¿Qué dijiste?")
    assert prose(second) == "Ya lo dije."
    assert len(model.seen[-1].messages) == 5


async def test_text_of_several_lines_stays_one_event() -> None:
    async with an_api(ScriptedModel([says("uno\n\ndos\r\n\x85\u2028tres")])) as http:
        assert prose(await asked(http, "Cuenta")) == "uno\n\ndos\r\n\x85\u2028tres"


CALL: dict[str, Any] = {"role": "assistant", "content": "", "calls": [{"id": "c1", "name": "echo", "arguments": {}}]}


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([], "El último mensaje («messages») debe ser una pregunta"),
        ([{"role": "assistant", "content": "Hola"}], "El último mensaje («messages») debe ser una pregunta"),
        ([{"role": "user", "content": " "}], "El mensaje 0 («user») está vacío"),
        ([{"role": "user"}], "El mensaje 0 («user») está vacío"),
        ([CALL, "¿Y?"], "Antes del mensaje 1 falta el mensaje «tool» de la llamada «c1»."),
        ([{"role": "tool", "content": "x", "call": "c9"}, "¿Y?"], "responde a la llamada «c9», que nadie hizo"),
        ([{**CALL, "calls": CALL["calls"] * 2}, "¿Y?"], "lleva dos llamadas con el mismo «id»."),
        ([{**CALL, "role": "user", "content": "x"}], "solo los de «assistant» pueden llevarlas."),
        ([{"role": "system", "content": "Obedece."}, "¿Y?"], "El campo «messages[0].role» no tiene un valor admitido"),
        ([{"role": "user", "content": "x", "rows": []}], "El campo «messages[0].rows» no existe"),
        ([{"role": "user", "content": 5}], "El campo «messages[0].content» debe ser un texto."),
        ([{"role": "user", "content": "x" * 200_001}], "tiene más de 200000 caracteres, el límite."),
        (["x"] * 401, "El campo «messages» tiene más de 400 elementos, el límite."),
        ([*[{"role": "user", "content": "x" * 200_000}] * 6], "La conversación tiene 1200000 caracteres"),
    ],
)
async def test_what_is_no_conversation_is_refused_with_what_to_change(messages: list[Any], told: str) -> None:
    body = {"messages": [{"role": "user", "content": each} if isinstance(each, str) else each for each in messages]}
    async with an_api(ScriptedModel([says("Hola")])) as http:
        response = await http.post("/api/chat", json=body)
    assert response.status_code == 422
    assert told in response.json()["error"]["message"]
    assert response.json()["error"]["retryable"] is False


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "no es JSON bien escrito"),
        (b"[]", "debe ser un objeto"),
        (b"{}", "El campo «messages» falta y es obligatorio."),
        (b'{"messages": "x"}', "El campo «messages» debe ser una lista."),
        (b"", "debe ser un objeto JSON"),
    ],
)
async def test_a_body_that_is_none_is_refused_in_spanish(content: bytes, told: str) -> None:
    async with an_api(ScriptedModel([says("Hola")])) as http:
        response = await http.post("/api/chat", content=content, headers={"content-type": "application/json"})
    assert response.status_code == 422
    assert told in response.json()["error"]["message"]


async def test_a_reader_who_hangs_up_cancels_model_and_tools() -> None:
    server = a_server(a_tool(wait))
    async with an_api(ScriptedModel([asks("echo", texto="600")]), server=server) as http:
        async with http.stream("POST", "/api/chat", json=HELLO) as response:
            await anext(response.aiter_lines())
            await server.runtime.seams.clock.sleep(5)
        await server.runtime.seams.clock.sleep(0.1)
        ends = [event.details["outcome"] for event in server.runtime.seams.trace if event.kind == "tool.end"]
    assert ends == ["CANCELLED"]


async def test_a_silent_stream_is_kept_open_with_comments() -> None:
    async with an_api(ScriptedModel([asks("echo", texto=str(3 * PING_S + 1)), says("Ya.")]), a_tool(wait)) as http:
        response = await http.post("/api/chat", json=HELLO)
    assert response.text.count(": ping\n\n") == 3


async def test_beyond_the_limit_of_turns_the_answer_is_busy_and_when_to_come_again() -> None:
    model = ScriptedModel([asks("echo", texto="60")])
    async with (
        an_api(model, a_tool(wait), limits=Limits(turns=1)) as http,
        http.stream("POST", "/api/chat", json=HELLO) as first,
    ):
        await anext(first.aiter_lines())
        response = await http.post("/api/chat", json=HELLO)
    assert (response.status_code, response.headers["retry-after"]) == (503, "5")
    assert response.json()["error"] == {
        "code": "BUSY",
        "message": "El servicio ya atiende 1 preguntas, su límite. Vuelva a intentarlo en unos segundos.",
        "retryable": True,
    }


async def test_the_tools_are_listed_with_their_source_and_the_questions_that_they_propose() -> None:
    asking = a_tool(echo, meta={"tzzr/questions": ["¿Qué dices?", 5]})
    async with an_api(ScriptedModel([says("Hola")]), asking) as http:
        response = await http.get("/api/tools")
    assert response.json() == {
        "tools": [
            {
                "name": "echo",
                "title": "Eco",
                "description": "Repite el texto.",
                "source": {"name": "tiny", "kind": "computation"},
                "questions": ["¿Qué dices?"],
                "refused": None,
            }
        ]
    }


async def test_a_tool_that_is_not_used_is_listed_with_why() -> None:
    stranger = Stranger([a_strange_tool("rumor", output_schema=None)])
    async with a_gateway(ScriptedModel([says("Hola")])) as other:
        gateway = Gateway(Limits(), in_process(stranger.server), ScriptedModel([says("Hola")]), Seams(other.clock))
        async with (
            gateway,
            httpx.AsyncClient(transport=DirectTransport(create_app(gateway)), base_url="http://localhost") as http,
        ):
            (tool,) = (await http.get("/api/tools")).json()["tools"]
    assert tool["refused"] == "No declara de dónde proceden sus datos."


async def test_the_application_enters_its_gateway_and_leaves_it() -> None:
    server = a_server()
    gateway = Gateway(Limits(), in_process(server.mcp), ScriptedModel([says("Hola")]), server.runtime.seams)
    app = create_app(gateway)
    async with server, app.router.lifespan_context(app):
        await gateway.clock.sleep(0.1)
        assert any("connection to the MCP server" in task.get_name() for task in asyncio.all_tasks())
    assert not any("gateway" in task.get_name() for task in asyncio.all_tasks())


async def test_probes_tell_life_and_readiness() -> None:
    async with an_api(ScriptedModel([says("Hola")])) as http:
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        assert (await http.get("/readyz")).json() == {"status": "ok", "tools": 1}


async def test_without_a_server_it_is_alive_and_not_ready() -> None:
    def nobody(_: Any) -> Any:
        raise ConnectionRefusedError("nobody listens")

    async with a_gateway(ScriptedModel([says("Hola")])) as other:
        gateway = Gateway(Limits(), nobody, ScriptedModel([says("Hola")]), Seams(other.clock))
        async with (
            gateway,
            httpx.AsyncClient(transport=DirectTransport(create_app(gateway)), base_url="http://localhost") as http,
        ):
            assert (await http.get("/healthz")).status_code == 200
            for path in ("/readyz", "/api/tools", "/api/resources", "/api/resources/read?uri=x"):
                response = await http.get(path)
                assert (response.status_code, response.json()["error"]["code"]) == (503, "SERVER_UNREACHABLE")


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/api/nothing", 404), ("GET", "/api/chat", 405)])
async def test_what_is_not_there_is_told_in_the_one_form(method: str, path: str, status: int) -> None:
    async with an_api(ScriptedModel([says("Hola")])) as http:
        response = await http.request(method, path)
    assert (response.status_code, response.json()["error"]["code"]) == (status, "NOT_SERVED")


async def test_the_description_of_the_api_holds_every_event_and_every_reference_leads_somewhere() -> None:
    async with an_api(ScriptedModel([says("Hola")])) as http:
        document = (await http.get("/api/openapi.json")).json()
    event = document["paths"]["/api/chat"]["post"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
    stream = event["properties"]["data"]["contentSchema"]
    schemas = document["components"]["schemas"]
    assert {reference.rpartition("/")[2] for reference in _references(stream)} <= schemas.keys()
    assert {reference.rpartition("/")[2] for reference in _references(document)} <= schemas.keys()
    assert set(stream["discriminator"]["mapping"]) == {
        "text", "tool", "table", "rows", "chart", "links", "notice", "error", "done",
    }  # fmt: skip
    assert EVENT.json_schema()["$defs"].keys() <= schemas.keys()


def _references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [reference for item in value for reference in _references(item)]
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [reference for item in value.values() for reference in _references(item)]
    return []


async def test_a_body_that_is_not_even_text_is_told_as_one_that_is_no_json() -> None:
    async with an_api(ScriptedModel([says("Hola")])) as http:
        broken = [
            await http.post("/api/chat", content=body, headers={"content-type": "application/json"})
            for body in (b"{", b"\x07\xff{", b"\xfe")
        ]
    assert [response.status_code for response in broken] == [422, 422, 422]
    assert {response.json()["error"]["message"] for response in broken} == {
        "El cuerpo de la petición no es JSON bien escrito."
    }
