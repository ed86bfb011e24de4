from __future__ import annotations

import json

import httpx
import pytest

from tests.tzzr_mocks.small import direct_client, expect_refusal, seams_of, small_fake, surface
from tzzr_mocks.control import Control, PlanError
from tzzr_mocks.control.asgi import Receive, Scope, Send, answer_json, read_body
from tzzr_mocks.network.direct import DirectTransport


async def reply_under(effect: str, path: str = "/status/job-7") -> httpx.Response:
    """The small fake's reply under one fault."""
    async with direct_client(small_fake(f"grace: every call {effect}")) as client:
        return await client.get(path)


async def plain_reply() -> httpx.Response:
    async with direct_client(small_fake()) as client:
        return await client.get("/status/job-7")


async def test_status_answers_in_the_upstreams_envelope() -> None:
    reply = await reply_under("fails with 503")

    assert (reply.status_code, reply.json()) == (503, {"error": "Service Unavailable"})


async def test_latency_waits_before_the_fake_looks() -> None:
    fake = small_fake("grace: every call takes 3s")
    async with direct_client(fake, timeout=60) as client:
        before = fake.control.seams.clock.monotonic()
        reply = await client.get("/health")

    assert reply.status_code == 200
    assert fake.control.seams.clock.monotonic() - before == pytest.approx(3.0)


async def test_latency_jitters_by_the_dice_of_its_rule() -> None:
    async def waited(seed: int) -> list[float | None]:
        fake = small_fake("grace: latency seconds=1 jitter=2", seed=seed)
        async with direct_client(fake, timeout=60) as client:
            for _ in range(5):
                await client.get("/health")
        return [exchange.duration for exchange in fake.control.journal]

    first = await waited(7)
    assert all(duration is not None and 1 <= duration <= 3 for duration in first)
    assert await waited(7) == pytest.approx(first)
    assert await waited(8) != pytest.approx(first)


async def test_latency_beyond_the_time_out_is_a_read_timeout() -> None:
    async with direct_client(small_fake("grace: every call takes 31s"), timeout=30) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get("/health")


async def test_rate_limited_says_when_to_come_back_if_it_knows() -> None:
    bare = await reply_under("is rate limited")
    seconds = await reply_under("is rate limited for 2500ms")
    date = await reply_under("rate_limited retry_after=30 as_date=true")

    assert (bare.status_code, "retry-after" in bare.headers) == (429, False)
    assert seconds.headers["retry-after"] == "3"
    assert date.headers["retry-after"] == "Sun, 04 Jan 2026 10:00:30 GMT"


async def test_malformed_json_keeps_status_and_headers() -> None:
    reply = await reply_under("answers malformed json")

    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/json")
    with pytest.raises(json.JSONDecodeError):
        reply.json()


async def test_truncated_json_is_whole_for_http_and_not_for_json() -> None:
    reply, plain = await reply_under("answers truncated json"), await plain_reply()

    assert plain.content.startswith(reply.content)
    assert int(reply.headers["content-length"]) == len(reply.content) == len(plain.content) // 2
    with pytest.raises(json.JSONDecodeError):
        reply.json()


async def test_html_page_stands_where_json_should() -> None:
    reply = await reply_under("answers an html page")
    portal = await reply_under("answers an html page status=200")

    assert (reply.status_code, reply.headers["content-type"]) == (502, "text/html; charset=utf-8")
    assert "502 Bad Gateway" in reply.text
    assert portal.status_code == 200


async def test_empty_body_has_no_byte() -> None:
    reply = await reply_under("answers nothing")

    assert (reply.status_code, reply.content, reply.headers["content-length"]) == (200, b"", "0")


async def test_wrong_content_type_leaves_the_bytes() -> None:
    reply = await reply_under("wrong_content_type content_type=text/csv")
    none = await reply_under("wrong_content_type content_type=")

    assert (reply.headers["content-type"], reply.json()["id"]) == ("text/csv", "job-7")
    assert "content-type" not in none.headers


async def test_bad_gzip_cannot_be_decoded() -> None:
    with pytest.raises(httpx.DecodingError):
        await reply_under("answers bad gzip")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("drop", {"status": "COMPLETED", "output": {"text": "ñ"}}),
        ("rename", {"status": "COMPLETED", "output": {"text": "ñ", "id_v2": "x"}, "id_v2": "job-7"}),
        ("retype", {"id": ["job-7"], "status": "COMPLETED", "output": {"id": ["x"], "text": "ñ"}}),
        ("null", {"id": None, "status": "COMPLETED", "output": {"id": None, "text": "ñ"}}),
        (
            "add",
            {"id": "job-7", "status": "COMPLETED", "output": {"id": "x", "text": "ñ", "id_v2": "x"}, "id_v2": "job-7"},
        ),
    ],
)
async def test_drift_changes_the_field_however_deep(change: str, expected: dict[str, object]) -> None:
    assert (await reply_under(f"drift field=id change={change}")).json() == expected


async def test_drift_leaves_a_reply_alone_that_is_no_json() -> None:
    fake = small_fake("grace: drift field=id", "grace: answers html")
    async with direct_client(fake) as client:
        assert "<h1>" in (await client.get("/health")).text


async def test_a_duplicate_does_the_work_twice_and_answers_once() -> None:
    counted: list[bytes] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        counted.append(await read_body(receive))
        await answer_json(200, {"number": len(counted)})(scope, receive, send)

    control = Control("grace", seams_of())
    wrapped = control.wrap(app, surface())
    control.plan.add("grace: first call is duplicated")
    async with httpx.AsyncClient(transport=DirectTransport(wrapped), base_url="http://fake") as client:
        numbers = [(await client.post("/v2/e1/run", content=b"x")).json()["number"] for _ in range(2)]

    assert (numbers, counted) == ([2, 3], [b"x", b"x", b"x"])
    assert len(control.journal) == 2


async def test_a_stale_reply_is_the_last_of_its_route() -> None:
    fake = small_fake("grace: 3rd call is stale", "grace: first call is stale")
    async with direct_client(fake) as client:
        ids = [(await client.get(f"/status/{name}")).json()["id"] for name in ("a", "b", "c", "d")]
        health = await client.get("/health")

    assert ids == ["a", "b", "b", "d"]
    assert health.json() == {"ok": True}
    assert health.headers.get_list("x-tzzr-fake") == ["grace"]


async def test_a_stale_reply_is_marked_once_and_no_failure_is_repeated() -> None:
    fake = small_fake("grace: 2nd call fails with 503", "grace: 3rd call is stale")
    async with direct_client(fake) as client:
        replies = [await client.get("/health") for _ in range(3)]

    assert [reply.status_code for reply in replies] == [200, 503, 200]
    assert replies[2].headers.get_list("x-tzzr-fake") == ["grace"]


@pytest.mark.parametrize(
    ("effect", "mend"),
    [
        ("truncated_json keep=1", "between 0 and 1"),
        ("html_page status=100", "200 to 599"),
        ("drift change=explode", "drop, rename, retype, null, add"),
        ("slow_drip size=0", "at least 1"),
        ("reset_in_body after=0", "give 1 or more"),
        ("tls_failure how=magic", "verify, plain, eof, reset, hang"),
    ],
)
def test_an_impossible_attribute_is_refused_with_what_is_allowed(effect: str, mend: str) -> None:
    with expect_refusal(mend):
        small_fake(f"grace: {effect}")


def test_the_refusal_is_a_value_error() -> None:
    assert issubclass(PlanError, ValueError)
