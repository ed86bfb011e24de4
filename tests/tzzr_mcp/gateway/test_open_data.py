"""Resources through the gateway: listed, read safely, and made into files that say where they come from."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from mcp import MCPError
from mcp import types as t
from mcp.server import Server

from tests.tzzr_mcp.gateway.chatting import a_chat
from tests.tzzr_mcp.gateway.reaching import an_api
from tests.tzzr_mcp.gateway.scripted import ScriptedModel, events_of, says
from tzzr_mcp.gateway.api import create_app
from tzzr_mcp.gateway.connect import in_process
from tzzr_mcp.gateway.gateway import Gateway
from tzzr_mcp.gateway.open_data import safe
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.seams import Dice, LoopClock, Seams
from tzzr_mocks.network.direct import DirectTransport

ROWS = [{"ref": "A1", "valor": 5.5, "nota": None}, {"ref": "=HYPERLINK(1)", "valor": -3, "más": {"a": [1]}}]
CONTENTS: dict[str, tuple[str | None, str | bytes]] = {
    "data://rows": ("application/json", json.dumps(ROWS)),
    "data://wrapped": ("application/json", json.dumps({"total": 2, "filas": ROWS})),
    "data://scalar": ("application/json", '{"total": 2}'),
    "data://page": ("text/html", "<script>alert(1)</script>"),
    "data://drawing": ("image/svg+xml", "<svg onload='alert(1)'/>"),
    "data://plain": (None, "hola"),
    "data://picture": ("image/png", b"\x89PNG"),
    "data://zip": ("application/zip", b"PK\x03\x04"),
}


async def _read(_: Any, params: t.ReadResourceRequestParams) -> t.ReadResourceResult:
    uri = str(params.uri)
    if uri not in CONTENTS:
        raise MCPError(-32602, "swordfish: no such thing")
    mime, body = CONTENTS[uri]
    if isinstance(body, bytes):
        blob = t.BlobResourceContents(uri=uri, mime_type=mime, blob=base64.b64encode(body).decode())
        return t.ReadResourceResult(contents=[blob])
    return t.ReadResourceResult(contents=[t.TextResourceContents(uri=uri, mime_type=mime, text=body)])


@asynccontextmanager
async def data() -> AsyncIterator[httpx.AsyncClient]:
    """A client of the API of a gateway before a server that has nothing but resources."""
    seams = Seams(LoopClock(datetime(2026, 1, 4, 10, tzinfo=UTC)), Dice(7))
    server: Server[Any] = Server("data", on_read_resource=_read)
    gateway = Gateway(Limits(), in_process(server), ScriptedModel([says("Hola")]), seams)
    transport = DirectTransport(create_app(gateway))
    async with gateway, httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield http


async def test_resources_and_templates_are_listed_as_the_server_has_them() -> None:
    async with an_api(ScriptedModel([says("Hola")])) as http:
        listed = (await http.get("/api/resources")).json()["resources"]
    assert listed == [
        {
            "uri": "tiny://self",
            "name": "self",
            "title": "Sí mismo",
            "mime": "text/plain",
            "description": "Se describe.",
            "template": False,
        },
        {
            "uri": "tiny://name/{name}",
            "name": "name",
            "title": "Nombre",
            "mime": "text/plain",
            "description": "Un nombre.",
            "template": True,
        },
    ]


async def test_a_server_without_resources_has_none() -> None:
    async with data() as http:
        assert (await http.get("/api/resources")).json() == {"resources": []}


async def test_a_resource_of_a_template_is_read() -> None:
    async with an_api(ScriptedModel([says("Hola")])) as http:
        response = await http.get("/api/resources/read", params={"uri": "tiny://name/ana"})
    assert (response.status_code, response.text) == (200, "name=ana")


@pytest.mark.parametrize(
    ("uri", "media_type"),
    [
        ("data://rows", "application/json"),
        ("data://page", "text/plain; charset=utf-8"),
        ("data://drawing", "text/plain; charset=utf-8"),
        ("data://plain", "text/plain; charset=utf-8"),
        ("data://picture", "image/png"),
        ("data://zip", "application/octet-stream"),
    ],
)
async def test_what_a_browser_would_run_is_given_as_text_or_as_bytes(uri: str, media_type: str) -> None:
    async with data() as http:
        response = await http.get("/api/resources/read", params={"uri": uri})
    body = CONTENTS[uri][1]
    assert response.content == (body if isinstance(body, bytes) else body.encode())
    assert response.headers["content-type"] == media_type
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]


@pytest.mark.parametrize("uri", ["data://rows", "data://wrapped"])
async def test_a_csv_file_has_its_source_and_date_on_top_and_holds_no_formula(uri: str) -> None:
    async with data() as http:
        response = await http.get("/api/resources/read", params={"uri": uri, "format": "csv", "download": "true"})
    assert response.text.startswith("\ufeff")
    assert list(csv.reader(io.StringIO(response.text.removeprefix("\ufeff")))) == [
        [f"# fuente: {uri}"],
        ["# descargado: 2026-01-04T10:00:00+00:00"],
        ["ref", "valor", "nota", "más"],
        ["A1", "5.5", "", ""],
        ["'=HYPERLINK(1)", "-3", "", '{"a": [1]}'],
    ]
    name = uri.rpartition("/")[2]
    assert response.headers["content-disposition"] == f"attachment; filename*=UTF-8''{name}.csv"


async def test_a_json_file_has_its_source_and_date_on_top() -> None:
    async with data() as http:
        response = await http.get("/api/resources/read", params={"uri": "data://rows", "format": "json"})
    assert list(response.json()) == ["source", "data"]
    assert response.json() == {
        "source": {"name": "data://rows", "kind": "dataset", "retrieved_at": "2026-01-04T10:00:00+00:00"},
        "data": ROWS,
    }


@pytest.mark.parametrize("uri", ["data://scalar", "data://plain", "data://zip"])
async def test_what_is_no_table_makes_no_csv_file(uri: str) -> None:
    async with data() as http:
        response = await http.get("/api/resources/read", params={"uri": uri, "format": "csv"})
    assert (response.status_code, response.json()["error"]["code"]) == (422, "NOT_A_TABLE")


async def test_what_is_not_there_is_told_in_our_own_words() -> None:
    async with data() as http:
        response = await http.get("/api/resources/read", params={"uri": "data://nothing"})
    assert response.status_code == 404
    assert response.json()["error"]["message"] == "El servidor no tiene el recurso «data://nothing»."


async def test_a_format_that_there_is_not_is_refused_in_spanish() -> None:
    async with data() as http:
        response = await http.get("/api/resources/read", params={"uri": "data://rows", "format": "xlsx"})
    assert response.status_code == 422
    assert response.json()["error"]["message"] == (
        "El campo «format» no tiene un valor admitido: 'raw', 'json' o 'csv'."
    )


@pytest.mark.parametrize("value", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_no_cell_is_a_formula(value: str) -> None:
    assert safe(value) == f"'{value}"


async def test_from_an_answer_a_person_gets_to_the_resource_behind_it() -> None:
    script = [{"when": "recursos", "call": {"explorar_recursos": {}}, "answer": "Aquí están: {explorar_recursos}"}]
    async with a_chat(script, plugins="system,hst") as chat:
        events = await events_of(chat.gateway, "¿Qué recursos hay?")
        (links,) = [event.links for event in events if event.type == "links"]
        listed = {resource.uri for resource in await chat.gateway.resources()}
        contents = [await chat.gateway.read(link.uri) for link in links]
    assert links
    assert {link.uri for link in links} <= listed
    assert all(content.body for content in contents)
