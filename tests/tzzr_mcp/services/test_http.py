"""The door: bounded in time and size, silent about secrets, typed in its errors."""

from __future__ import annotations

import asyncio
import gzip
import logging
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.worlds import (
    BASE,
    KEY,
    TRACE_ID,
    Drip,
    Hang,
    new_router,
    new_seams,
    new_upstream,
    script,
    within,
)
from tzzr_mcp.seams import Deadline, Seams
from tzzr_mcp.services.http import LIMIT_BYTES, Door, Request, check, encode, read_object
from tzzr_mcp.services.troubles import Trouble, UpstreamError

HEADERS = {
    "host": "upstream.test",
    "accept": "application/json",
    "accept-encoding": "gzip, deflate",
    "user-agent": "mcp-server-tzzr",
    "x-trace-id": str(TRACE_ID),
}
"""What every request carries; HTTP knows no case in their names."""
ASK = Request("GET", "/things", {"name": "ñandú y más"})


async def test_a_request_carries_the_token_and_the_parameters() -> None:
    router, seams = new_router(), new_seams()
    route = router.get("/things").respond(json={"a": 1})
    answer = await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    sent = route.calls.last.request
    assert (sent.url.params["name"], sent.content) == ("ñandú y más", b"")
    assert dict(sent.headers) == {**HEADERS, "authorization": f"Bearer {KEY}"}
    assert read_object("grace", answer) == {"a": 1}


async def test_a_body_goes_out_as_json_with_every_character_as_it_is() -> None:
    router, seams = new_router(), new_seams()
    route = router.post("/things").respond(json={})
    request = Request("POST", "/things", body=encode({"texto": "año 🇪🇸"}))
    await new_upstream(router, seams).door.send(request, within(5, seams), TRACE_ID)
    sent = route.calls.last.request
    assert sent.content == '{"texto":"año 🇪🇸"}'.encode()
    about = {"content-type": "application/json", "content-length": str(len(sent.content))}
    assert dict(sent.headers) == {**HEADERS, **about, "authorization": f"Bearer {KEY}"}


@pytest.mark.parametrize(("seconds", "allowed"), [(50, 5.0), (3, 3.0)])
async def test_a_connection_stands_within_five_seconds_and_within_the_request_s_time(
    seconds: float, allowed: float
) -> None:
    router, seams = new_router(), new_seams()
    route = router.get("/things").respond(json={})
    await new_upstream(router, seams).door.send(ASK, within(seconds, seams), TRACE_ID)
    assert route.calls.last.request.extensions["timeout"] == {"connect": allowed}


@pytest.mark.parametrize(
    ("seconds", "trouble"), [(0.001, Trouble.TIMEOUT), (5, Trouble.TIMEOUT), (0.001_9, Trouble.DEADLINE)]
)
async def test_a_time_out_is_the_deadline_s_where_less_than_a_millisecond_is_left(
    seconds: float, trouble: Trouble
) -> None:
    seams = new_seams()

    class Late(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await seams.clock.sleep(0.001 if trouble is Trouble.DEADLINE else 0)
            raise httpx.ReadTimeout("")

    with pytest.raises(UpstreamError) as caught:
        await new_upstream(Late(), seams).door.send(ASK, within(seconds, seams), TRACE_ID)
    assert caught.value.trouble is trouble


@pytest.mark.parametrize("base", ["https://x.test", "https://x.test/v2", "https://x.test/vX", "https://x.test/v2/X"])
def test_a_slash_at_the_end_of_an_address_makes_no_difference(base: str) -> None:
    seams = new_seams()
    doors = [Door("grace", f"{base}{end}", seams, transport=Hang(seams)) for end in ("", "/")]
    assert [door.base_url for door in doors] == [base, base]


async def test_without_a_token_there_is_no_authorization() -> None:
    router, seams = new_router(), new_seams()
    route = router.get("/things").respond(json={})
    door = Door("context", f"{BASE}/", seams, transport=httpx.MockTransport(router.async_handler))
    await door.send(Request("GET", "/things"), within(5, seams), TRACE_ID)
    assert dict(route.calls.last.request.headers) == HEADERS


@pytest.mark.parametrize(
    ("raised", "trouble"),
    [
        (httpx.ConnectError("no route to sk-very-secret-key-0001"), Trouble.UNREACHABLE),
        (httpx.ReadError(""), Trouble.UNREACHABLE),
        (httpx.RemoteProtocolError("Server disconnected"), Trouble.UNREACHABLE),
        (httpx.InvalidURL("bad"), Trouble.UNREACHABLE),
        (httpx.ConnectTimeout(""), Trouble.TIMEOUT),
        (httpx.ReadTimeout(""), Trouble.TIMEOUT),
        (httpx.PoolTimeout(""), Trouble.TIMEOUT),
        (httpx.DecodingError("bad gzip"), Trouble.BAD_RESPONSE),
    ],
)
async def test_a_transport_error_becomes_a_trouble_without_its_text_and_is_logged_by_its_kind(
    raised: Exception, trouble: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").mock(side_effect=script(raised))
    with pytest.raises(UpstreamError) as caught:
        await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    assert caught.value.trouble is trouble
    assert str(caught.value) == f"grace: {trouble}"
    assert caught.value.__suppress_context__
    logged = [record.getMessage() for record in caplog.records if record.name == "tzzr_mcp.services.http"]
    assert logged == [f"grace /things: {trouble} ({type(raised).__name__}) [{TRACE_ID}]"]


async def test_an_upstream_that_never_answers_ends_after_the_requests_own_time() -> None:
    seams = new_seams()
    with pytest.raises(UpstreamError) as caught:
        await new_upstream(Hang(seams), seams).door.send(ASK, within(50, seams), TRACE_ID)
    assert caught.value.trouble is Trouble.TIMEOUT
    assert seams.clock.monotonic() == pytest.approx(10)


async def test_a_deadline_that_comes_first_is_told_as_the_deadline() -> None:
    seams = new_seams()
    with pytest.raises(UpstreamError) as caught:
        await new_upstream(Hang(seams), seams).door.send(ASK, within(3, seams), TRACE_ID)
    assert caught.value.trouble is Trouble.DEADLINE
    assert seams.clock.monotonic() == pytest.approx(3)


@pytest.mark.parametrize(("seconds", "sent"), [(0, 0), (0.000_9, 0), (0.001, 1)])
async def test_nothing_is_sent_when_less_than_a_millisecond_is_left(seconds: float, sent: int) -> None:
    seams = new_seams()
    hang = Hang(seams)
    with pytest.raises(UpstreamError) as caught:
        await new_upstream(hang, seams).door.send(ASK, within(seconds, seams), TRACE_ID)
    assert (caught.value.service, caught.value.trouble) == ("grace", Trouble.DEADLINE)
    assert len(hang.seen) == sent


async def test_a_slow_drip_is_bounded_as_a_whole() -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").mock(return_value=httpx.Response(200, stream=Drip(seams, every_s=4, parts=1000)))
    with pytest.raises(UpstreamError) as caught:
        await new_upstream(router, seams).door.send(ASK, within(50, seams), TRACE_ID)
    assert caught.value.trouble is Trouble.TIMEOUT
    assert seams.clock.monotonic() == pytest.approx(10)


async def test_a_body_beyond_the_limit_is_not_read_to_its_end() -> None:
    router, seams = new_router(), new_seams()
    bomb = zlib.compress(b"\0" * (LIMIT_BYTES + 1))
    headers = {"Content-Encoding": "deflate"}
    router.get("/things").mock(
        side_effect=lambda _: httpx.Response(200, headers=headers, stream=httpx.ByteStream(bomb))
    )
    with pytest.raises(UpstreamError) as caught:
        await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    assert caught.value.trouble is Trouble.BAD_RESPONSE


ENCODERS: Mapping[str | None, Callable[[bytes], bytes]] = {None: bytes, "gzip": gzip.compress, "deflate": zlib.compress}


@pytest.mark.parametrize("encoding", ENCODERS)
@pytest.mark.parametrize("parts", [1, 2])
async def test_a_body_of_exactly_the_limit_is_read_and_of_one_byte_more_is_not(
    encoding: str | None, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tzzr_mcp.services.http.LIMIT_BYTES", 1000)

    def reply(request: httpx.Request) -> httpx.Response:
        body = ENCODERS[encoding](b"x" * int(request.url.params["name"]))
        at = len(body) // 2
        pieces = [body] if parts == 1 else [body[:at], body[at:]]
        return httpx.Response(200, headers={"Content-Encoding": encoding} if encoding else {}, stream=Pieces(pieces))

    seams = new_seams()
    door = new_upstream(httpx.MockTransport(reply), seams).door
    answer = await door.send(Request("GET", "/things", {"name": "1000"}), within(5, seams), TRACE_ID)
    assert answer.body == b"x" * 1000
    with pytest.raises(UpstreamError) as caught:
        await door.send(Request("GET", "/things", {"name": "1001"}), within(5, seams), TRACE_ID)
    assert caught.value.trouble is Trouble.BAD_RESPONSE


class Pieces(httpx.AsyncByteStream):
    """A body that comes in pieces."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


async def test_a_redirect_is_not_followed() -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").respond(302, headers={"Location": "http://elsewhere.test/"})
    answer = await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    with pytest.raises(UpstreamError) as caught:
        check("grace", answer)
    assert caught.value.trouble is Trouble.REFUSED


async def test_the_trace_tells_request_and_answer_and_no_header() -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").respond(503)
    request = Request("GET", "/things", about={"module": "CLASSIFIER"})
    await new_upstream(router, seams).door.send(request, within(5, seams), TRACE_ID)
    assert told(seams) == [
        ("server", "upstream.request", {**PLACE, "module": "CLASSIFIER"}),
        ("server", "upstream.answer", {**PLACE, "status": 503}),
    ]
    assert KEY.encode() not in seams.trace.canonical()


PLACE = {"service": "grace", "method": "GET", "path": "/things", "trace_id": str(TRACE_ID)}


def told(seams: Seams) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The trace, without times."""
    return [(event.source, event.kind, event.details) for event in seams.trace]


async def test_a_request_that_fails_is_told_with_its_trouble() -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").mock(side_effect=script(httpx.ReadError("")))
    with pytest.raises(UpstreamError):
        await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    assert told(seams) == [
        ("server", "upstream.request", PLACE),
        ("server", "upstream.answer", {**PLACE, "trouble": "unreachable"}),
    ]


async def test_a_cancelled_request_is_told_as_cancelled() -> None:
    seams = new_seams()
    door = new_upstream(Hang(seams), seams).door
    task = asyncio.ensure_future(door.send(ASK, within(50, seams), TRACE_ID))
    await seams.clock.sleep(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told(seams) == [
        ("server", "upstream.request", PLACE),
        ("server", "upstream.answer", {**PLACE, "trouble": "cancelled"}),
    ]


async def test_what_a_fake_answers_is_known_as_simulated() -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").respond(headers={"X-TZZR-Fake": "hst"})
    answer = await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    assert answer.simulated


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("Sun, 04 Jan 2026 10:00:30 GMT", 30.0),
        ("Sun, 04 Jan 2026 09:00:00 GMT", 0.0),
        ("Sun, 04 Jan 2026 11:00:30 +0100", 30.0),
        ("Sun Jan  4 10:00:30 2026", 30.0),
        ("Sunday, 04-Jan-26 10:00:30 GMT", 30.0),
        ("soon", None),
        ("-3", None),
        (None, None),
    ],
)
@pytest.mark.usefixtures("far_from_greenwich")
async def test_retry_after_is_read_as_seconds_or_as_a_date(header: str | None, seconds: float | None) -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").respond(429, headers={"Retry-After": header} if header else {})
    answer = await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    assert answer.retry_after_s == seconds


@pytest.fixture
def far_from_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's own zone, which no date of HTTP is in (RFC 9110 §5.6.7)."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "America/Lima")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize("body", [b"", b"<html>502</html>", b"[1]", b'"x"', b"\xff", b"[" * 100_000])
async def test_a_body_that_is_no_json_object_is_a_bad_response(body: bytes) -> None:
    router, seams = new_router(), new_seams()
    router.get("/things").respond(200, content=body)
    answer = await new_upstream(router, seams).door.send(ASK, within(5, seams), TRACE_ID)
    with pytest.raises(UpstreamError) as caught:
        read_object("grace", answer)
    assert caught.value.trouble is Trouble.BAD_RESPONSE


async def test_an_upstreams_words_are_logged_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    door = new_upstream(new_router()).door
    with caplog.at_level(logging.WARNING):
        door.warn("job job-1 FAILED", f"Traceback\n  Authorization: Bearer {KEY}", TRACE_ID)
    words = "Traceback Authorization: Bearer [secreto]"
    assert [record.getMessage() for record in caplog.records] == [f"grace: job job-1 FAILED: {words} [{TRACE_ID}]"]


async def test_a_borrowed_transport_is_not_closed_and_an_own_one_is() -> None:
    closed: list[str] = []

    class Closing(httpx.AsyncBaseTransport):
        async def aclose(self) -> None:
            closed.append("closed")

    seams = new_seams()
    await Door("grace", BASE, seams, transport=Closing()).aclose()
    assert closed == []
    own = Door("grace", BASE, seams)
    await own.aclose()
    with pytest.raises(RuntimeError, match="closed"):
        await own.send(ASK, Deadline.after(1, seams.clock), TRACE_ID)


@pytest.fixture
def proxies(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The proxy of every network that a door was given."""
    asked: list[str | None] = []

    def network(*, proxy: str | None) -> None:
        asked.append(proxy)

    monkeypatch.setattr(httpx, "AsyncHTTPTransport", network)
    return asked


def test_a_door_goes_through_the_proxy_that_the_environment_names(
    proxies: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "localhost,.inside.example")
    for base in (
        "https://api.example/v2",
        "https://grace.inside.example/v2",
        "http://api.example",
        "https://localhost",
    ):
        Door("grace", base, new_seams())

    assert proxies == ["http://proxy.example:3128", None, None, None]


def test_a_proxy_for_every_scheme_is_taken_where_none_is_named_for_one(
    proxies: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://proxy.example:3128")
    Door("grace", "https://api.example/v2", new_seams())

    assert proxies == ["http://proxy.example:3128"]
