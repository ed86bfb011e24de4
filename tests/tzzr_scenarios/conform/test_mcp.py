"""The rules for MCP servers: ours keeps all of them in both eras, and each small mistake breaks its own and no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.tzzr_scenarios.conform.taped import Mistake, right, with_status, wrong
from tzzr_scenarios.conform.mcp import BOOK
from tzzr_scenarios.conform.mcp.open import ERAS

Json = dict[str, Any]


def of(method: str, change: Callable[[Json], object], **params: Any) -> Callable[[Json, Json], None]:
    """Changes the result of a method, when its parameters are these."""

    def told(message: Json, response: Json) -> None:
        given = message.get("params", {})
        if message.get("method") == method and "result" in response and params.items() <= given.items():
            change(response["result"])

    return told


def listed(method: str, member: str, change: Callable[[list[Json]], object]) -> Callable[[Json, Json], None]:
    """Changes the items of a list."""
    return of(method, lambda result: change(result[member]))


def schema(tool: str, change: Callable[[Json], object], name: str = "inputSchema") -> Callable[[Json, Json], None]:
    """Changes a schema of a tool."""
    return listed("tools/list", "tools", lambda tools: [change(each[name]) for each in tools if each["name"] == tool])


def without(name: str, key: str = "name") -> Callable[[list[Json]], None]:
    """Takes an item out of a list."""

    def change(items: list[Json]) -> None:
        items[:] = [item for item in items if item[key] != name]

    return change


def mistaken(change: Callable[[Json], object]) -> Callable[[Json, Json], None]:
    """Changes every result of a tool that tells a mistake."""
    return of("tools/call", lambda result: change(result) if result.get("isError") else None)


def _refusal(code: int, message: str) -> Callable[[Json, Json, Json], None]:
    def become(sent: Json, response: Json, data: Json) -> None:
        response.pop("result", None)
        response["error"] = {"code": code, "message": message, **({"data": data} if data else {})}

    return become


def _as_protocol_error(message: Json, response: Json) -> None:
    if message.get("params", {}).get("name") == "traducir":
        response.pop("result")
        response["error"] = {"code": -32602, "message": "missing idioma_destino"}


def _as_result(message: Json, response: Json) -> None:
    if message.get("params", {}).get("name") == "no_such_tool":
        response.pop("error")
        response["result"] = {"content": [{"type": "text", "text": "Unknown tool"}], "isError": True}


def _any_cursor(message: Json, response: Json) -> None:
    if message.get("params", {}).get("cursor") == "no-such-cursor":
        response.pop("error")
        response["result"] = {}


def _half_a_prompt(message: Json, response: Json) -> None:
    if message.get("method") == "prompts/get" and message["params"].get("arguments") == {}:
        response.pop("error")
        response["result"] = {"messages": []}


def _coded(method: str, code: int) -> Callable[[Json, Json], None]:
    def told(message: Json, response: Json) -> None:
        if message.get("method") == method and "error" in response and "uri" in message["params"]:
            response["error"]["code"] = code

    return told


def _other_id(message: Json, response: Json) -> None:
    if response.get("id") == "uno-1":
        response["id"] = 1


def _no_such_method(message: Json, response: Json) -> None:
    if message.get("method") == "no/such_method":
        response["error"]["code"] = -32600


def _strange_version(message: Json, response: Json) -> None:
    if message.get("params", {}).get("protocolVersion") == "1999-01-01":
        response["result"]["protocolVersion"] = "1999-01-01"


def _other_text(old: str, new: str) -> Callable[[Json], None]:
    def change(result: Json) -> None:
        for block in result["content"]:
            block["text"] = block["text"].replace(old, new)

    return change


def _readable(message: Json, response: Json) -> None:
    if message.get("params", {}).get("arguments") == {"archivo": "/etc/passwd"}:
        response["result"] = {"content": [{"type": "text", "text": "root"}], "resultType": "complete"}


def _in_contents(old: str, new: str, uri: str) -> Callable[[Json, Json], None]:
    def change(result: Json) -> None:
        for content in result["contents"]:
            content["text"] = content["text"].replace(old, new)

    return of("resources/read", change, uri=uri)


def _credentials(result: Json) -> None:
    told = json.loads(result["contents"][0]["text"])
    told["services"][0]["base_url"] = "http://user:word@hst.example"
    result["contents"][0]["text"] = json.dumps(told)


def _longer_rows(result: Json) -> None:
    for table in result.get("structuredContent", {}).get("tables", ()):
        for row in table["rows"]:
            row.append(None)


def _other_digest(result: Json) -> None:
    if "digest" in result.get("structuredContent", {}).get("data", {}):
        result["structuredContent"]["data"]["digest"] = "0" * 64


MISTAKES = [
    Mistake("era.server-info", of("initialize", lambda result: result["serverInfo"].update(version=""))),
    Mistake("era.negotiates", _strange_version),
    Mistake("era.discover", of("server/discover", lambda result: result.update(supportedVersions=["2025-11-25"]))),
    Mistake("era.result-type", of("prompts/list", lambda result: result.pop("resultType", None))),
    Mistake("era.cache", of("prompts/list", lambda result: result.pop("ttlMs", None))),
    Mistake("rpc.id", _other_id),
    Mistake("rpc.method", _no_such_method),
    Mistake("http.origin", heard=with_status(200, lambda headers: "origin" in headers)),
    Mistake("http.media-type", heard=with_status(200, lambda headers: headers.get("content-type") == "text/plain")),
    Mistake("names.tools", listed("tools/list", "tools", without("embeddings"))),
    Mistake("names.templates", listed("resources/templates/list", "resourceTemplates",
                                      without("tzzr://context/{agent_id}", "uriTemplate"))),
    Mistake("names.prompts", listed("prompts/list", "prompts", without("analizar_factura"))),
    Mistake("names.described", listed("prompts/list", "prompts", lambda items: items[0].pop("description"))),
    Mistake("names.once", listed("prompts/list", "prompts", lambda items: items.append(items[0]))),
    Mistake("schemas.required", schema("clasificar", lambda about: about.pop("required"))),
    Mistake("schemas.defaults", schema("resumir", lambda about: about["properties"]["idioma"].update(default="en"))),
    Mistake("schemas.values", schema("generar_hash", lambda about: about["properties"]["algoritmo"]["enum"].append("md5"))),
    Mistake("schemas.limit", schema("buscar_tags", lambda about: about["properties"]["limite"].update(maximum=1000))),
    Mistake("schemas.output", schema("ocr", lambda about: about.update(required=["source"]), "outputSchema")),
    Mistake("schemas.valid", schema("ocr", lambda about: about.update(type="thing"), "outputSchema")),
    Mistake("lists.cursor", _any_cursor),
    Mistake("resources.unknown", _coded("resources/read", -32603)),
    Mistake("resources.modules", _in_contents('"HASHER"', '"HASH"', "tzzr://grace/modules")),
    Mistake("resources.json", _in_contents("{", "<", "tzzr://grace/modules")),
    Mistake("resources.credentials", of("resources/read", _credentials, uri="tzzr://servers/status")),
    Mistake("prompts.arguments", listed("prompts/list", "prompts",
                                        lambda items: items[1]["arguments"][1].update(required=True))),
    Mistake("prompts.missing", _half_a_prompt),
    Mistake("errors.unknown-tool", _as_result),
    Mistake("errors.result", _as_protocol_error),
    Mistake("errors.no-structure", mistaken(lambda result: result.update(structuredContent={}))),
    Mistake("errors.value", mistaken(_other_text("muchas", "…"))),
    Mistake("errors.internals", mistaken(_other_text(".", ". ValueError in tools.py."))),
    Mistake("errors.code", mistaken(lambda result: result["_meta"]["tzzr/error"].update(retryable=True))),
    Mistake("errors.file", _readable),
    Mistake("results.tables", of("tools/call", _longer_rows)),
    Mistake("results.hash", of("tools/call", _other_digest)),
]  # fmt: skip


async def test_the_server_keeps_every_rule_in_both_eras() -> None:
    verdicts = await right()

    assert [verdict.name for verdict in verdicts if verdict.outcome != "passed"] == []
    assert {verdict.where for verdict in verdicts} == {*ERAS}
    assert len({verdict.rule for verdict in verdicts}) == len(BOOK) >= 60


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.rule)
async def test_a_mistake_breaks_its_rule_and_no_other(mistake: Mistake) -> None:
    assert await wrong(mistake) == {mistake.rule}


async def test_every_verdict_shows_the_message_that_was_sent() -> None:
    for verdict in await right():
        sent = json.loads(verdict.request)
        assert sent.get("jsonrpc") == "2.0" or "content" in sent, verdict.rule
