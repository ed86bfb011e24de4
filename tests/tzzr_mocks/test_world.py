from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.tzzr_mocks.small import expect_refusal
from tzzr_mocks import cast, world
from tzzr_mocks.addresses import ENVIRONMENT, HOSTS, MODEL_ENVIRONMENT
from tzzr_mocks.fake import Fake, Keeps
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import START, Planned, World

AGENT = f"http://{HOSTS['context']}/v1/agents/alfred/context"


def client_of(some: World) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=some.transport)


async def test_a_world_tells_how_to_reach_it_and_its_keys_open_it() -> None:
    async with World() as some, client_of(some) as client:
        env = some.environment
        health = await client.get(
            f"{env['GRACE_BASE_URL']}/{env['GRACE_ENDPOINT_ID']}/health",
            headers={"authorization": f"Bearer {env['RUNPOD_API_KEY']}"},
        )
        tags = await client.get(
            f"{env['HST_BASE_URL']}/items/tags_flg?limit=1", headers={"authorization": f"Bearer {env['HST_TOKEN']}"}
        )
        context = await client.get(f"{env['CONTEXT_BASE_URL']}/v1/agents/alfred/context")

    assert [reply.status_code for reply in (health, tags, context)] == [200, 200, 200]
    assert [entry.service for entry in some.journal] == ["grace", "hst", "context"]
    assert [entry.number for entry in some.journal] == [1, 2, 3]


def test_the_addresses_that_are_known_without_a_world_are_those_of_a_world() -> None:
    assert World().environment == {**ENVIRONMENT, **MODEL_ENVIRONMENT}


def test_each_fake_is_found_under_its_name() -> None:
    some = World()

    fakes = (some.grace, some.hst, some.context, some.llm)

    assert [fake.control.service for fake in fakes] == ["grace", "hst", "context", "llm"]


async def test_no_key_of_a_world_is_in_its_journal() -> None:
    async with World() as some, client_of(some) as client:
        secrets = [value for name, value in some.environment.items() if "KEY" in name or "TOKEN" in name]
        for secret in secrets:
            await client.get(f"{AGENT}?note={secret}", headers={"x-note": secret})

    assert len(some.journal) == len(secrets) == 4
    assert set(secrets) == some.secrets
    assert not [secret for secret in secrets if secret in repr(list(some.journal))]


async def test_wall_time_starts_where_the_world_says_and_follows_its_loop() -> None:
    async with World() as some:
        assert some.seams.clock.now() == START
        await some.seams.clock.sleep(90)

        assert (some.elapsed, (some.seams.clock.now() - START).total_seconds()) == (90.0, 90.0)


async def test_wall_time_counts_from_the_world_s_start_and_not_from_its_first_reading() -> None:
    async with World() as some:
        await some.seams.clock.sleep(90)
        assert (some.seams.clock.now() - START).total_seconds() == 90


async def test_a_world_in_real_time_has_a_clock_that_can_be_stopped() -> None:
    async with World(time="real") as some:
        assert some.steering is not None
        some.steering.freeze()
        some.steering.advance(60)

        assert some.elapsed == pytest.approx(60.0, abs=1)

    assert World().steering is None


async def test_faults_are_planned_when_a_world_is_made_and_injected_and_healed_later() -> None:
    faults: list[Planned] = ["context: first call fails with 503", {"context": "2nd call takes 9s"}]
    async with World(faults=faults) as some, client_of(some) as client:
        statuses = [(await client.get(AGENT)).status_code]
        with pytest.raises(httpx.ReadTimeout):
            await client.get(AGENT)
        some.plan.add("context: every call is refused")
        with pytest.raises(httpx.ConnectError):
            await client.get(AGENT)
        some.plan.heal()
        statuses.append((await client.get(AGENT)).status_code)

    assert statuses == [503, 200]
    assert some.plan.unfired() == []


@pytest.mark.parametrize("faults", [["grase: x"], ["grace: OCR_LOCL is down"], [{"hst": "is dwn"}], [{"match": {}}]])
def test_an_impossible_plan_is_refused_when_the_world_is_made(faults: list[Any]) -> None:
    with expect_refusal("unknown"):
        World(faults=faults)


async def test_a_starting_world_is_taken_by_the_fakes_that_have_it() -> None:
    async with World(starting="empty") as some, client_of(some) as client:
        assert (await client.get(AGENT)).status_code == 404

    with expect_refusal("unknown starting world"):
        World(starting="nowhere")


async def test_reset_forgets_what_happened_and_not_the_time() -> None:
    async with World(faults=["context: every call takes 2s"]) as some, client_of(some) as client:
        await client.get(AGENT)
        some.reset()

        assert (list(some.journal), list(some.trace), some.plan.rules) == ([], [], [])
        assert some.elapsed == 2.0
        assert (await client.get(AGENT)).status_code == 200


async def test_a_snapshot_brings_back_plan_and_state_and_leaves_journal_and_time() -> None:
    async with World(faults=["context: first call fails with 503"]) as some, client_of(some) as client:
        state = some.snapshot()
        first = (await client.get(AGENT)).status_code
        some.hst.state.store.change('DELETE FROM "tags_flg"')
        await some.seams.clock.sleep(5)
        some.restore(state)
        again = (await client.get(AGENT)).status_code
        rows = await client.get(
            f"http://{HOSTS['hst']}/items/tags_flg?limit=-1",
            headers={"authorization": f"Bearer {some.environment['HST_TOKEN']}"},
        )

        assert (first, again) == (503, 503)
        assert len(rows.json()["data"]) == 65
        assert (some.elapsed, [entry.status for entry in some.journal]) == (5.0, [503, 503, 200])


async def test_a_snapshot_brings_back_what_rules_count_and_what_they_repeat() -> None:
    second: Planned = {
        "match": {"service": "context", "attempt": 2},
        "effect": {"kind": "status", "status": 503},
    }
    async with World(faults=[second, "context: 4th call is stale"]) as some, client_of(some) as client:

        async def statuses(agents: str) -> list[tuple[int, str]]:
            path = f"http://{HOSTS['context']}/v1/agents"
            replies = [await client.get(f"{path}/{agent}/context", headers={"X-Trace-Id": "t"}) for agent in agents]
            return [(reply.status_code, reply.text) for reply in replies]

        await statuses("a")
        state = some.snapshot()
        first = await statuses("bcd")
        some.restore(state)
        assert await statuses("bcd") == first

        some.reset()
        some.plan.add("context: first call is stale")
        assert await statuses("e") != [first[2]], "a reset forgets the replies of before"

    assert [status for status, _ in first] == [503, 404, 404]


async def test_a_snapshot_of_another_starting_world_is_refused() -> None:
    async with World() as some, World(starting="empty") as other:
        with expect_refusal("the snapshot is of the starting world 'default', and this world began as 'empty'"):
            other.restore(some.snapshot())


def test_every_fake_of_a_world_keeps_its_state() -> None:
    assert [name for name, fake in World().fakes.items() if not isinstance(fake, Keeps)] == []


async def test_closing_a_client_leaves_the_world_to_the_others() -> None:
    async with World(faults=["context: every call takes 2s"]) as some, client_of(some) as other:
        call = asyncio.create_task(other.get(AGENT))
        async with client_of(some) as client:
            await client.get(AGENT)

        assert (await call).status_code == 200


async def test_worlds_in_one_process_do_not_see_each_other() -> None:
    async def live(number: int) -> tuple[int, list[int | None], float]:
        async with World(number, faults=[f"context: first {number % 3 + 1} calls fail with 503"]) as some:
            async with client_of(some) as client:
                for _ in range(4):
                    await client.get(AGENT)
                    await some.seams.clock.sleep(1)
            return number, [entry.status for entry in some.journal], some.elapsed

    lives = await asyncio.gather(*(live(number) for number in range(60)))

    for number, statuses, elapsed in lives:
        failing = number % 3 + 1
        assert statuses == [503] * failing + [200] * (4 - failing)
        assert elapsed == 4.0


@pytest.mark.slow
def test_a_thousand_worlds_at_once_are_isolated_and_give_their_memory_back() -> None:
    async def live(number: int) -> bool:
        async with World(number, faults=[f"context: every call answers {400 + number % 100}"]) as some:
            async with client_of(some) as client:
                await some.seams.clock.sleep(number)
                status = (await client.get(AGENT)).status_code
            return (status, len(some.journal), some.elapsed) == (400 + number % 100, 1, float(number))

    async def live_all(count: int) -> list[bool]:
        return await asyncio.gather(*(live(number) for number in range(count)))

    def objects_after(count: int) -> int:
        with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
            assert runner.run(live_all(count)) == [True] * count
        gc.collect()
        return len(gc.get_objects())

    one, thousand = objects_after(1), objects_after(1000)

    assert thousand - one < 1000, "less than one object is left of each world"


def test_worlds_leave_nothing_behind() -> None:
    left: list[weakref.ref[object]] = []

    async def live() -> None:
        async with World() as some, client_of(some) as client:
            await client.get(AGENT)
        left.extend(weakref.ref(thing) for thing in (some, some.grace, some.hst, some.context.store, some.plan))

    for _ in range(5):
        with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
            runner.run(live())
    gc.collect()

    assert [thing() for thing in left if thing() is not None] == []


def test_every_service_with_a_host_has_a_fake_and_they_are_what_the_world_needs() -> None:
    assert set(cast.FACTORIES) == set(HOSTS)
    fakes: list[Fake] = list(World().fakes.values())

    assert [fake.control.service for fake in fakes] == list(HOSTS)
    assert Path(world.__file__).name == "world.py"


async def test_a_webhook_reaches_a_receiver_in_the_same_world() -> None:
    received: list[tuple[str, bytes]] = []

    async def receiver(scope: Any, receive: Any, send: Any) -> None:
        received.append((scope["path"], (await receive())["body"]))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async with World(7) as world, httpx.AsyncClient(transport=world.transport) as client:
        world.receive("hooks.test", receiver)
        job = {"input": {}, "webhook": "http://hooks.test/done"}
        headers = {"Authorization": f"Bearer {world.environment['RUNPOD_API_KEY']}"}
        await client.post(f"{world.environment['GRACE_BASE_URL']}/grace/run", json=job, headers=headers)
        await world.seams.clock.sleep(300)
    assert [path for path, _ in received] == ["/done"]
    assert b'"status":"FAILED"' in received[0][1]


async def test_a_webhook_to_a_host_that_nobody_knows_never_leaves_the_world() -> None:
    async with World(7) as world, httpx.AsyncClient(transport=world.transport) as client:
        job = {"input": {}, "webhook": "http://example.com/done"}
        headers = {"Authorization": f"Bearer {world.environment['RUNPOD_API_KEY']}"}
        await client.post(f"{world.environment['GRACE_BASE_URL']}/grace/run", json=job, headers=headers)
        await world.seams.clock.sleep(300)
    statuses = {event.details["status"] for event in world.trace if event.kind == "webhook"}
    assert statuses == {"ConnectError"}
