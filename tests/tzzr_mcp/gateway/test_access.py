"""Who may use the gateway: this machine by default, others with a token, no page of a stranger's, no endless body."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.tzzr_mcp.gateway.chatting import settings_of
from tests.tzzr_mcp.gateway.reaching import an_api
from tests.tzzr_mcp.gateway.scripted import ScriptedModel, says
from tzzr_mcp.checks.environment import StartError
from tzzr_mcp.gateway.api import Access, access_of
from tzzr_mcp.gateway.api.access import BODY_S
from tzzr_mcp.seams import SystemClock
from tzzr_mocks.world import World

HELLO: dict[str, Any] = {"messages": [{"role": "user", "content": "Hola"}]}
GUARDED = Access(address="0.0.0.0", token="swordfish", hosts=frozenset({"chat.example"}))  # noqa: S104
BEARER = {"Authorization": "Bearer swordfish"}


async def status(access: Access | None, path: str = "/api/tools", **headers: str) -> int:
    async with an_api(ScriptedModel([says("Hola")]), access=access) as http:
        return (await http.get(path, headers=headers)).status_code


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost:8080", 200), ("127.0.0.1", 200), ("evil.example", 421), ("10.0.0.1", 421), ("", 421)],
)
async def test_on_loopback_only_this_machine_s_names_are_right(host: str, expected: int) -> None:
    assert await status(None, host=host) == expected


@pytest.mark.parametrize(
    ("origin", "expected"), [("http://localhost:5173", 200), ("https://evil.example", 403), ("null", 403)]
)
async def test_no_page_of_a_stranger_s_may_ask(origin: str, expected: int) -> None:
    assert await status(None, origin=origin) == expected


async def test_a_page_that_was_named_may_ask_and_its_browser_is_told() -> None:
    access = Access(origins=("https://app.example",))
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    async with an_api(ScriptedModel([says("Hola")]), access=access) as http:
        response = await http.options("/api/chat", headers=asked)
        assert response.headers["access-control-allow-origin"] == "https://app.example"
        assert (await http.get("/api/tools", headers={"Origin": "https://app.example"})).status_code == 200


@pytest.mark.parametrize(
    ("authorization", "expected"),
    [
        ("Bearer swordfish", 200),
        ("bearer swordfish", 200),
        ("Bearer swordfis", 401),
        ("Basic swordfish", 401),
        ("swordfish", 401),
        ("", 401),
    ],
)
async def test_beyond_this_machine_a_token_is_asked_for(authorization: str, expected: int) -> None:
    assert await status(GUARDED, authorization=authorization, host="chat.example") == expected


async def test_who_has_no_token_is_told_how_to_send_one() -> None:
    async with an_api(ScriptedModel([says("Hola")]), access=GUARDED) as http:
        response = await http.post("/api/chat", json=HELLO, headers={"host": "chat.example"})
    assert response.headers["www-authenticate"] == "Bearer"
    assert "Authorization: Bearer" in response.json()["error"]["message"]
    assert "swordfish" not in repr(GUARDED)


async def test_probes_need_neither_name_nor_token() -> None:
    assert await status(GUARDED, "/healthz", host="10.3.4.5:8080") == 200
    assert await status(GUARDED, "/readyz", host="anything.example") == 200


async def test_a_body_beyond_the_limit_is_refused_and_the_rest_of_it_unread() -> None:
    async with an_api(ScriptedModel([says("Hola")]), access=Access(max_body=2048)) as http:
        response = await http.post("/api/chat", json={"messages": [{"role": "user", "content": "x" * 3000}]})
    assert (response.status_code, response.json()["error"]["code"]) == (413, "BODY_TOO_LONG")
    assert "Empiece una conversación nueva" in response.json()["error"]["message"]


async def test_a_body_that_does_not_come_is_not_waited_for_long() -> None:
    async def dawdling() -> AsyncIterator[bytes]:
        yield b'{"messages": ['
        await SystemClock().sleep(10 * BODY_S)
        yield b"]}"

    async with an_api(ScriptedModel([says("Hola")])) as http:
        response = await http.post("/api/chat", content=dawdling(), headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["error"]["code"]) == (408, "BODY_LATE")


async def test_the_settings_say_who_may_come_in_and_refuse_an_open_door() -> None:
    async with World() as world:
        local = settings_of(world)
        open_door = settings_of(world, TZZR_GATEWAY_HOST="0.0.0.0")  # noqa: S104
        guarded = settings_of(
            world,
            TZZR_GATEWAY_HOST="0.0.0.0",  # noqa: S104
            TZZR_GATEWAY_TOKEN="swordfish",
            TZZR_GATEWAY_ALLOWED_HOSTS="chat.example, other.example",
            TZZR_GATEWAY_ALLOWED_ORIGINS="https://app.example",
        )
        schemeless = settings_of(world, TZZR_GATEWAY_ALLOWED_ORIGINS="app.example")
    assert access_of(local) == Access()
    with pytest.raises(StartError, match=r"TZZR_GATEWAY_ALLOWED_ORIGINS names 'app\.example', .*write https://app\.ex"):
        access_of(schemeless)
    with pytest.raises(StartError, match=r"TZZR_GATEWAY_HOST is '0\.0\.0\.0': other machines could use the gateway"):
        access_of(open_door)
    assert access_of(guarded).hosts == {"chat.example", "other.example"}
    assert access_of(guarded).origins == ("https://app.example",)
    assert access_of(guarded).token == "swordfish"
