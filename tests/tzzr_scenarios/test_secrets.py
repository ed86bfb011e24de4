"""No key, token or password in anything that leaves the process; what the whole catalogue leaves is searched there."""

from __future__ import annotations

import base64
import html
import json
import logging
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import httpx2
import pytest

from tests.tzzr_mcp.server.transports.http.reaching import JSON, Reach, request
from tests.tzzr_scenarios.planted import SECRETS, STYLES, Planted, plant
from tests.tzzr_scenarios.playing import play
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.transports.http import http_app
from tzzr_mcp.server.transports.http.options import http_options
from tzzr_scenarios.stage import staged

BEARER = 'http_Planted/3+"\\&<%=Clients'
PASSWORD = "redis_Planted/4+Stor3"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
PATHS = ("/metrics", "/readyz", "/healthz", "/nowhere")
CALLS = (
    ("generar_hash", {"texto": "hola"}),
    ("generar_hash", {"texto": "hola"}),
    ("obtener_tag", {"ref": "ES"}),
    ("explorar_recursos", {"uri": "tzzr://servers/status"}),
    ("explorar_recursos", {"uri": "tzzr://context/alfred"}),
)


def in_base64(before: int) -> Callable[[str], str]:
    return lambda secret: base64.b64encode(b"x" * before + secret.encode() + b"yy").decode()


WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": json.dumps,
    "JSON in JSON": lambda secret: json.dumps(json.dumps(secret)),
    "repr": repr,
    "a part of a URL": lambda secret: quote(secret, safe=""),
    "a form": quote_plus,
    "HTML": html.escape,
    "hex": lambda secret: secret.encode().hex(),
    "base64 for URLs": lambda secret: base64.urlsafe_b64encode(f"Bearer {secret}".encode()).decode(),
    **{f"base64 after {before}": in_base64(before) for before in range(4)},
}


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
def test_the_search_finds_a_secret_in_every_form(name: str, write: Callable[[str], str]) -> None:
    assert Planted(SECRETS).found("it", f"before {write(SECRETS[name])} after") == [f"it holds {name}"]


def test_the_search_finds_nothing_in_what_is_no_secret() -> None:
    text = json.dumps({"key": "rpa_other", "token": "[redacted]", "text": "Planted"})
    assert Planted(SECRETS).found("it", text) == []


def test_the_search_finds_what_a_scenario_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = plant(monkeypatch, "text")
    secret = SECRETS["RUNPOD_API_KEY"]
    logging.getLogger("tzzr_mcp").warning("never seen by the redaction: %s", secret[:9])
    result = play(
        tmp_path,
        "steps:\n  - call: generar_hash\n    with: { texto: 'PLANTED' }\n".replace("PLANTED", "a" + secret[:12]),
    )
    planted.secrets = {"part of a key": secret[:9]}
    assert {leak.partition(" holds")[0] for leak in planted.leaks(result, tmp_path)} >= {
        "the log",
        "the journal",
        "the page",
    }


async def called(http: httpx2.AsyncClient, tool: str, arguments: dict[str, str]) -> httpx2.Response:
    """One call of a client of the newer era."""
    headers = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
    call = request(1, "tools/call", name=tool, arguments=arguments, _meta=META)
    return await http.post("/mcp", json=call, headers=headers)


async def talked(server: TzzrServer) -> str:
    """What a client hears that may come in, and one that may not; and what an operator sees."""
    heard: list[str] = []
    app = http_app(server, http_options(server.settings.core, open_to_all=False, workers=1))
    reach = Reach(app, server)
    async with app.router.lifespan_context(app):
        for bearer in (BEARER, BEARER[:-1]):
            async with reach.http({**JSON, "Authorization": f"Bearer {bearer}"}) as http:
                replies = [await http.get(path) for path in PATHS]
                replies += [await called(http, tool, arguments) for tool, arguments in CALLS]
            heard += [f"{reply.status_code} {dict(reply.headers)} {reply.text}" for reply in replies]
        await reach.close()
    return "\n".join(heard)


@pytest.mark.parametrize("style", STYLES)
async def test_over_http_neither_the_bearer_nor_the_store_s_password_is_shown(
    style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    planted = plant(monkeypatch, style)
    settings = {
        "GRACE_CACHE_TTL_S": "60",
        "TZZR_CACHE_URL": f"unix://:{PASSWORD}@/nowhere.sock",
        "TZZR_HTTP_TOKEN": BEARER,
        "TZZR_CALL_TIMEOUT_S": "5",
    }
    faults = ["grace: first job has error_json_in_string", "hst: every call fails with 500"]
    planted.secrets = {**SECRETS, "TZZR_HTTP_TOKEN": BEARER, "TZZR_CACHE_URL": PASSWORD}
    async with staged(7, faults=faults, settings=settings) as stage, stage.server() as server:
        told = await talked(server)
        left = [repr(event.details) for event in stage.world.trace] + [repr(each) for each in stage.world.journal]
    for handler in logging.root.handlers:
        handler.flush()
    for what, text in (("an answer", told), ("the log", "".join(planted.lines)), ("the trace", "".join(left))):
        assert planted.found(what, text) == []
    assert planted.lines
    assert "tzzr_calls_total" in told
