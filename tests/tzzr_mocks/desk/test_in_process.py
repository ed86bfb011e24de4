"""The control plane through a world's own transport: the same as on a port, without one."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.served.desktop import desktop
from tzzr_mocks.addresses import HOSTS
from tzzr_mocks.world import World

AGENT = f"http://{HOSTS['context']}/v1/agents/alfred/context"
CONTROL = f"http://{HOSTS['grace']}/__tzzr"


def client_of(some: World) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=some.transport)


async def told(client: httpx.AsyncClient, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    """The JSON answer of one control request, which must have this status."""
    reply = await client.request(method, f"{CONTROL}{path}", json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


@pytest.mark.parametrize("host", HOSTS.values())
async def test_every_fake_has_it_and_it_is_about_the_whole_world(host: str) -> None:
    async with World(faults=["context: first call fails with 503"]) as some, client_of(some) as client:
        [rule] = (await client.get(f"http://{host}/__tzzr/faults")).json()
        page = await client.get(f"http://{host}/__tzzr/")

    assert rule["sentence"] == "context: first call fails with 503"
    assert page.headers["content-type"].startswith("text/html")


async def test_its_description_is_that_of_a_port() -> None:
    async with World() as some, client_of(some) as client, desktop() as desk:
        assert await told(client, "GET", "/openapi.json") == (await desk.control.get("/openapi.json")).json()


@pytest.mark.parametrize("fault", ["context: calls are refused", "context: calls fail with 503", "context: is down"])
async def test_no_fault_strikes_it_and_no_journal_enters_it(fault: str) -> None:
    async with World() as some, client_of(some) as client:
        await told(client, "POST", "/faults", {"rule": fault}, 201)
        here = await client.get(f"http://{HOSTS['context']}/__tzzr/faults")
        await told(client, "POST", "/heal", {})

        assert (await client.get(AGENT)).status_code == 200
        journal = await told(client, "GET", "/journal")

    assert (here.status_code, here.json()[0]["count"]) == (200, 0)
    assert [one["path"] for one in journal["exchanges"]] == ["/v1/agents/alfred/context"]


async def test_virtual_time_is_read_and_let_pass_but_not_stopped() -> None:
    async with World() as some, client_of(some) as client:
        before = await told(client, "GET", "/clock")
        after = await told(client, "POST", "/clock/advance", {"seconds": "10m"})
        refused = await told(client, "POST", "/clock/freeze", status=409)
        backwards = await told(client, "POST", "/clock/advance", {"seconds": -1}, 422)

    assert (before["elapsed"], after["elapsed"], after["frozen"]) == (0, 600, False)
    assert after["now"] == "2026-01-04T10:10:00.000Z"
    assert "POST /clock/advance lets it pass" in refused["error"]["message"]
    assert "give 0 or more" in backwards["error"]["message"]


async def test_a_world_in_real_time_is_frozen_moved_and_let_go() -> None:
    async with World(time="real") as some, client_of(some) as client:
        await told(client, "POST", "/clock/freeze")
        moved = await told(client, "POST", "/clock/advance", {"seconds": 60})
        ran = await told(client, "POST", "/clock/run")

    assert (moved["frozen"], ran["frozen"]) == (True, False)
    assert ran["elapsed"] >= 60


async def test_a_job_that_runs_comes_back_with_the_time_it_had_left() -> None:
    async with World(faults=["grace: LANG_DETECT takes 30s optional"]) as some, client_of(some) as client:
        headers = {"authorization": f"Bearer {some.environment['RUNPOD_API_KEY']}"}
        base = f"{some.environment['GRACE_BASE_URL']}/{some.environment['GRACE_ENDPOINT_ID']}"
        job = (await client.post(f"{base}/run", json={"input": {"x": 1}}, headers=headers)).json()["id"]
        assert await told(client, "POST", "/snapshots", {"name": "queued"}, 201) == ["queued"]
        await client.post(f"{base}/cancel/{job}", headers=headers)
        [cancelled] = await told(client, "GET", "/jobs")
        await told(client, "POST", "/snapshots/queued/restore")
        [queued] = await told(client, "GET", "/jobs")
        await told(client, "POST", "/clock/advance", {"seconds": 60})
        [ended] = await told(client, "GET", "/jobs")

    assert [one["status"] for one in (cancelled, queued, ended)] == ["CANCELLED", "IN_QUEUE", "COMPLETED"]


async def test_a_world_begins_anew_with_another_seed_and_another_starting_world() -> None:
    async def first_id(client: httpx.AsyncClient, some: World) -> str:
        headers = {"authorization": f"Bearer {some.environment['RUNPOD_API_KEY']}"}
        base = f"{some.environment['GRACE_BASE_URL']}/{some.environment['GRACE_ENDPOINT_ID']}"
        return str((await client.post(f"{base}/run", json={"input": {"x": 1}}, headers=headers)).json()["id"])

    async with World(3) as some, World(9) as other, client_of(some) as client, client_of(other) as neighbour:
        await first_id(client, some)
        await told(client, "POST", "/faults", {"rule": "context: calls are refused"}, 201)
        with pytest.raises(httpx.ConnectError):
            await client.get(AGENT)
        anew = await told(client, "POST", "/reset", {"seed": 9})
        assert await first_id(client, some) == await first_id(neighbour, other)
        assert (await client.get(AGENT)).status_code == 200
        empty = await told(client, "POST", "/reset", {"starting": "empty"})
        assert (await client.get(AGENT)).status_code == 404
        wrong = await told(client, "POST", "/reset", {"starting": "emty"}, 422)
        dropped = await client.request("DELETE", f"{CONTROL}/worlds/default")

    assert (anew["seed"], anew["faults"], anew["starting"]) == (9, 0, "default")
    assert (empty["seed"], empty["starting"]) == (9, "empty")
    assert wrong["error"]["suggestion"] == "empty"
    assert [one["starting"] for one in dropped.json()] == ["default"]


async def test_another_world_is_refused_with_the_mend() -> None:
    async with World() as some, client_of(some) as client:
        error = (await told(client, "POST", "/worlds", {"name": "ci"}, 422))["error"]
        unknown = await told(client, "GET", "/faults?world=ci", status=404)
        undropped = await told(client, "DELETE", "/worlds/ci", status=404)

    assert "make another in its program" in error["message"]
    assert "unknown world 'ci'" in unknown["error"]["message"] == undropped["error"]["message"]


async def test_who_follows_the_news_is_let_go_when_the_world_ends() -> None:
    async with client_of(some := World()) as client:
        async with some, client.stream("GET", f"{CONTROL}/events") as news:
            lines = news.aiter_lines()
            assert await anext(lines) == ": follow"
            await client.get(AGENT)
            heard = [line async for line in _three(lines)]
        assert not asyncio.all_tasks() - {asyncio.current_task()}

    assert [line for line in heard if line.startswith("event")] == ["event: exchange"]


async def _three(lines: Any) -> Any:
    for _ in range(3):
        yield await anext(lines)


async def test_a_guest_keeps_its_own_paths() -> None:
    async def guest(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async with World() as some, client_of(some) as client:
        some.receive("hooks.test", guest)
        assert (await client.get("http://hooks.test/__tzzr/faults")).status_code == 204


async def test_a_body_that_is_not_even_text_is_refused_in_the_one_form() -> None:
    async with World() as some, client_of(some) as client:
        refused = await client.post(
            "http://grace.tzzr.test/__tzzr/heal", content=b"\xff\xfe{", headers={"content-type": "application/json"}
        )

    assert (refused.status_code, list(refused.json()["error"])) == (422, ["message"])
