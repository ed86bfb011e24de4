from __future__ import annotations

import pytest

from tests.tzzr_mocks.small import KEY, direct_client, small_fake
from tzzr_mocks.control.journal import Journal


async def test_every_reply_says_that_it_is_faked() -> None:
    fake = small_fake("grace: 2nd call fails with 503")
    async with direct_client(fake) as client:
        replies = [await client.get("/health") for _ in range(2)]

    assert [(reply.status_code, reply.headers["x-tzzr-fake"]) for reply in replies] == [(200, "grace"), (503, "grace")]


async def test_an_exchange_is_entered_whole_and_without_secrets() -> None:
    fake = small_fake()
    fake.control.journal.redaction.learn([KEY])
    headers = {"authorization": f"Bearer {KEY}"}
    body = {"module": "HASHER", "trace_id": "t1", "key": "k1", "text": f"the key is {KEY}", "api_key": "other"}
    async with direct_client(fake, headers=headers) as client:
        await client.post(f"/run?access_token={KEY}", json=body)

    [exchange] = fake.control.journal
    assert (exchange.route, exchange.endpoint, exchange.status, exchange.attempt) == ("POST /run", "e1", 200, 1)
    assert (exchange.module, exchange.trace_id, exchange.key) == ("HASHER", "t1", "k1")
    assert exchange.json()["text"] == "the key is [redacted]"
    assert KEY not in repr(exchange)
    assert "other" not in repr(exchange)
    assert exchange.reply is not None
    assert exchange.reply.body.json()["id"] == "job-1"


async def test_the_application_sees_the_body_byte_for_byte() -> None:
    fake = small_fake()
    content = "a\r\n😀\u202e\x01".encode() * 1000
    async with direct_client(fake) as client:
        reply = await client.post("/run", content=content)

    assert reply.json()["got"] == len(content)
    assert next(iter(fake.control.journal)).body.size == len(content)


async def test_faults_are_named_in_the_exchange_and_the_trace() -> None:
    fake = small_fake("grace: first call fails with 503")
    async with direct_client(fake) as client:
        await client.get("/health")

    [exchange] = fake.control.journal
    assert exchange.faults == ("grace: first call fails with 503",)
    assert [event.kind for event in fake.control.seams.trace] == ["fault", "exchange"]


async def test_attempts_count_the_requests_of_one_trace_to_one_route_and_module() -> None:
    fake = small_fake({"match": {"service": "grace", "attempt": 2}, "effect": "status"})
    async with direct_client(fake) as client:
        bodies = [{"trace_id": trace, "module": "HASHER"} for trace in ("a", "a", "b", "a")]
        statuses = [(await client.post("/run", json=body)).status_code for body in bodies]

    assert statuses == [200, 503, 200, 200]


async def test_several_reply_faults_act_together() -> None:
    fake = small_fake("grace: calls take 3s", "grace: calls answer malformed json")
    async with direct_client(fake) as client:
        reply = await client.get("/health")

    assert reply.text == "{'ok':true}"
    assert next(iter(fake.control.journal)).duration == pytest.approx(3.0)


async def test_the_journal_keeps_so_many_exchanges_and_counts_the_rest() -> None:
    fake = small_fake()
    fake.control.journal.length = 3
    async with direct_client(fake) as client:
        for _ in range(5):
            await client.get("/health")

    assert [exchange.number for exchange in fake.control.journal] == [3, 4, 5]
    assert fake.control.journal.dropped == 2


async def test_who_listens_hears_of_an_exchange_as_it_begins_and_ends() -> None:
    fake = small_fake()
    heard: list[int | None] = []
    stop = fake.control.journal.listen(lambda exchange: heard.append(exchange.status))
    async with direct_client(fake) as client:
        await client.get("/health")
        stop()
        await client.get("/health")

    assert (heard[0], heard[-1]) == (None, 200)


def test_an_empty_journal_that_is_given_is_used() -> None:
    journal = Journal()
    fake = small_fake()
    other = type(fake.control)("grace", fake.control.seams, fake.control.plan, journal)

    assert other.journal is journal
