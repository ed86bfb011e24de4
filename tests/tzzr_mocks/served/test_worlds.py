from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from tests.tzzr_mocks.served.desktop import desktop
from tzzr_mocks.control.asgi import Scope
from tzzr_mocks.desk import DEFAULT
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.served.dispatch import world_of

AGENT = "http://context/v1/agents/alfred/context"


def scope_of(query: str = "", **headers: str) -> Scope:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "path": "/", "query_string": query.encode(), "headers": raw}


@pytest.mark.parametrize(
    ("scope", "name", "query", "headers"),
    [
        (scope_of(), DEFAULT, b"", []),
        (scope_of(x_tzzr_world="a"), "a", b"", [(b"x-tzzr-world", b"a")]),
        (scope_of(authorization="Bearer key@ci-1"), "ci-1", b"", [(b"authorization", b"Bearer key")]),
        (scope_of(authorization="key@ci-1"), "ci-1", b"", [(b"authorization", b"key")]),
        (scope_of("limit=1&access_token=key@ci-1&sort=ref"), "ci-1", b"limit=1&access_token=key&sort=ref", []),
        (scope_of("access_token=key%40ci-1"), "ci-1", b"access_token=key", []),
        (scope_of("search=a@b"), DEFAULT, b"search=a@b", []),
        (scope_of(authorization="Bearer key"), DEFAULT, b"", [(b"authorization", b"Bearer key")]),
    ],
)
def test_a_world_is_chosen_by_header_or_by_what_stands_behind_the_key(
    scope: Scope, name: str, query: bytes, headers: list[tuple[bytes, bytes]]
) -> None:
    chosen, cleaned = world_of(scope)

    assert (chosen, cleaned["query_string"], cleaned["headers"]) == (name, query, headers)


def test_the_header_decides_before_the_key() -> None:
    assert world_of(scope_of(x_tzzr_world="a", authorization="Bearer key@b"))[0] == "a"


async def test_worlds_of_one_server_do_not_see_each_other() -> None:
    async with desktop() as desk:
        for number in range(20):
            await desk.worlds.create(f"w{number}", number, faults=[f"context: first {number + 1} calls fail with 503"])

        async def statuses(number: int) -> list[int]:
            headers = {"x-tzzr-world": f"w{number}"}
            return [(await desk.ports.get(AGENT, headers=headers)).status_code for _ in range(22)]

        seen = await asyncio.gather(*(statuses(number) for number in range(20)))

        assert seen == [[503] * (number + 1) + [200] * (21 - number) for number in range(20)]
        assert len(desk.worlds.named(DEFAULT).journal) == 0
        assert {len(desk.worlds.named(f"w{number}").journal) for number in range(20)} == {22}


async def test_the_keys_of_a_world_open_it_and_no_other() -> None:
    async with desktop() as desk:
        await desk.worlds.create("ci-1")
        keys = desk.worlds.environment("ci-1")
        health = await desk.ports.get(
            "http://grace/v2/grace/health", headers={"authorization": f"Bearer {keys['RUNPOD_API_KEY']}"}
        )
        tags = await desk.ports.get(f"http://hst/items/tags_flg?limit=1&access_token={keys['HST_TOKEN']}")
        journal = desk.worlds.named("ci-1").journal

        assert (health.status_code, tags.status_code) == (200, 200)
        assert [entry.service for entry in journal] == ["grace", "hst"]
        assert "rpa_tzzr_offline" not in repr(list(journal))


async def test_a_world_that_nobody_knows_is_told_with_the_nearest() -> None:
    async with desktop() as desk:
        await desk.worlds.create("ci-1")
        reply = await desk.ports.get(AGENT, headers={"x-tzzr-world": "ci-2"})

    assert reply.status_code == 404
    assert "did you mean 'ci-1'?" in reply.json()["error"]["message"]


async def test_each_world_has_a_clock_of_its_own() -> None:
    async with desktop() as desk:
        other = await desk.worlds.create("other")
        assert other.steering is not None
        other.steering.advance(3600)

        assert other.elapsed >= 3600
        assert desk.worlds.named(DEFAULT).elapsed < 60


def test_a_server_that_has_ended_leaves_no_world_behind() -> None:
    left: list[weakref.ref[object]] = []

    async def live() -> None:
        async with desktop() as desk:
            await desk.worlds.create("other")
            await desk.control.get("/worlds")
            left.extend(weakref.ref(desk.worlds.named(name)) for name in desk.worlds.names)

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        runner.run(live())
    gc.collect()

    assert [thing() for thing in left] == [None, None]
