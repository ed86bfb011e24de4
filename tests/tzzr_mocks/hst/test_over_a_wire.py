"""Cases over HTTP: byte for byte, busy servers asked again, tokens never in a line that is shown."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from tests.tzzr_mocks.hst.asking import TOKENS
from tests.tzzr_mocks.hst.replay import NOW
from tzzr_mcp.seams import LoopClock
from tzzr_mocks.hst.conformance.cases import Case, read_cases
from tzzr_mocks.hst.conformance.curl import curl_line
from tzzr_mocks.hst.conformance.over_http import NoAnswer, Target, askable, verdicts
from tzzr_mocks.hst.conformance.verdict import Sent

BASE = httpx.URL("http://hst.test/under")
PLAIN = Case(
    "00_test-001", "default", "reader", {"method": "GET", "path": "/items/%x", "query": "f[a]=${reader}&b=$NOW"},
    {"status": 200, "headers": {}},
)  # fmt: skip


def target(answer: Callable[[httpx.Request], httpx.Response]) -> Target:
    return Target(BASE, httpx.AsyncClient(transport=httpx.MockTransport(answer)), LoopClock(NOW))


async def test_path_and_query_go_out_byte_for_byte_below_the_root() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, text="yes")

    assert (await target(answer).ask(PLAIN, {"reader": "secret"})).content == b"yes"
    assert seen[0].extensions["target"] == b"/under/items/%x?f[a]=secret&b=$NOW"
    assert seen[0].headers["authorization"] == "Bearer secret"


async def test_a_busy_server_is_asked_again_when_it_says() -> None:
    replies = [httpx.Response(429, headers={"retry-after": "7"}), httpx.Response(503), httpx.Response(200)]
    busy = target(lambda request: replies.pop(0))
    sent: Sent = await busy.ask(PLAIN, {"reader": "x"})
    assert sent.status == 200
    assert busy.clock.monotonic() == pytest.approx(8.0)


async def test_a_server_that_stays_busy_is_given_up_with_advice() -> None:
    with pytest.raises(NoAnswer, match=r"still answered 429 .* RATE_LIMITER_POINTS"):
        await target(lambda request: httpx.Response(429)).ask(PLAIN, {"reader": "x"})


async def test_a_connection_that_breaks_is_a_difference_of_that_case() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("reset")

    found = [verdict async for verdict in verdicts(target(broken), [PLAIN, PLAIN], {"reader": "x"})]
    assert [str(verdict.differences[0]) for verdict in found] == [
        'answer "the connection broke: ReadError reset", recorded "status 200"'
    ] * 2


def test_a_case_without_its_token_is_not_asked_and_one_that_writes_never() -> None:
    write = Case("00_test-002", "default", "reader", {"method": "DELETE", "path": "/items/x"}, {"status": 204})
    hidden = Case(
        "00_test-003", "default", "reader",
        {"method": "GET", "path": "/items/x", "headers": {"X-HTTP-Method-Override": "DELETE"}}, {"status": 200},
    )  # fmt: skip
    assert askable(PLAIN, {"reader": "x"})
    assert not askable(PLAIN, {"admin": "x"})
    assert not askable(write, {"reader": "x"})
    assert not askable(hidden, {"reader": "x"})


def test_a_line_for_curl_shows_no_secret_and_lets_nothing_else_be_a_variable() -> None:
    line = curl_line(BASE, PLAIN, {"reader": "secret"}, {"reader"})
    assert line == (
        'curl -g -H "authorization: Bearer ${reader}" "http://hst.test/under/items/%x?f[a]=${reader}&b=\\$NOW"'
    )


def test_no_line_of_the_whole_corpus_shows_a_token_that_was_given() -> None:
    secret = {name: f"very-secret-{name}" for name in ("reader", "admin", "noaccess", "suspended")}
    tokens = {**TOKENS, **secret}
    chosen = [case for case in read_cases() if askable(case, tokens)]
    assert len(chosen) > 800
    assert not any("very-secret" in curl_line(BASE, case, tokens, secret) for case in chosen)
