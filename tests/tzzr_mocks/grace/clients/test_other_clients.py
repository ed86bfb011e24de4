"""Clients that nobody recorded: whatever speaks HTTP gets the same answers as any other."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import KEY
from tests.tzzr_mocks.grace.clients.stage import Stage, without_ids

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket]


class Asked(NamedTuple):
    """One request: body None where none is sent."""

    method: str
    url: str
    key: str
    body: str | None


class Told(NamedTuple):
    """What came back: status, media type, text."""

    status: int
    media_type: str
    text: str


def by_httpx(asked: Asked) -> Told:
    """A client with a pool of its own."""
    headers = {"Authorization": asked.key}
    answer = httpx.request(asked.method, asked.url, content=asked.body, headers=headers, timeout=30.0)
    return Told(answer.status_code, answer.headers["content-type"], answer.text)


def by_urllib(asked: Asked) -> Told:
    """The standard library's, which calls a body a form."""
    body = None if asked.body is None else asked.body.encode()
    request = urllib.request.Request(asked.url, body, {"Authorization": asked.key}, method=asked.method)  # noqa: S310 - a loopback address
    try:
        with urllib.request.urlopen(request, timeout=30.0) as answer:  # noqa: S310 - as above
            return Told(answer.status, answer.headers["content-type"], answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Told(error.code, error.headers["content-type"], error.read().decode())


def by_chunks(asked: Asked) -> Told:
    """A body in chunks, of a length that nobody says."""
    parts = urlsplit(asked.url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=30.0)
    pieces = iter([piece.encode() for piece in asked.body or ""])
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    connection.request(
        asked.method, target, None if asked.body is None else pieces, {"authorization": asked.key},
        encode_chunked=asked.body is not None,
    )  # fmt: skip
    answer = connection.getresponse()
    told = Told(answer.status, answer.headers["content-type"], answer.read().decode())
    connection.close()
    return told


def by_hand(asked: Asked) -> Told:
    """HTTP/1.0 on a bare socket, octet by octet."""
    parts, body = urlsplit(asked.url), (asked.body or "").encode()
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    length = f"content-length: {len(body)}\r\n" if asked.body is not None else ""
    head = f"{asked.method} {target} HTTP/1.0\r\nAUTHORIZATION:   {asked.key}\r\n{length}\r\n".encode()
    with socket.create_connection((str(parts.hostname), parts.port or 80), 30.0) as wire:
        for octet in head + body:
            wire.send(bytes([octet]))
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        told = Told(answer.status, answer.headers["content-type"], answer.read().decode())
        answer.close()
    return told


def by_curl(asked: Asked) -> Told:
    """curl, as in all examples of RunPod's reference."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    body = [] if asked.body is None else ["--data", asked.body]
    line = ["curl", "-sS", "-X", asked.method, asked.url, "-H", f"Authorization: {asked.key}", *body]
    said = subprocess.run(
        [*line, "-w", "\n%{http_code} %{content_type}"], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    text, _, last = said.rpartition("\n")
    status, _, media_type = last.partition(" ")
    return Told(int(status), media_type, text)


FETCH = """
const [url, method, key, body] = JSON.parse(process.argv[1]);
const answer = await fetch(url, { method, headers: { Authorization: key }, body: body ?? undefined });
const told = [answer.status, answer.headers.get("content-type"), await answer.text()];
process.stdout.write(JSON.stringify(told));
"""


def by_fetch(asked: Asked) -> Told:
    """node's own fetch."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    given = json.dumps([asked.url, asked.method, asked.key, asked.body])
    done = subprocess.run(
        [node, "--input-type=module", "-e", FETCH, given], capture_output=True, text=True, timeout=60, check=True
    )
    return Told(*json.loads(done.stdout))


CLIENTS = [
    pytest.param(client, id=client.__name__, marks=pytest.mark.slow if client is by_fetch else ())
    for client in (by_httpx, by_urllib, by_chunks, by_hand, by_curl, by_fetch)
]
"""node starts once for each request, which takes its time."""
BARE, BEARER = KEY, f"Bearer {KEY}"
INPUT = '{"input":{"a":"ñ"}}'


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_goes_through_a_jobs_life(stage: Stage, client: Callable[[Asked], Told]) -> None:
    base = f"{stage.base}/ok"
    submitted = json.loads(client(Asked("POST", f"{base}/run", BARE, INPUT)).text)
    job = submitted["id"]

    ended = client(Asked("GET", f"{base}/status-sync/{job}?wait=5000", BEARER, None))
    again = client(Asked("POST", f"{base}/status/{job}", BEARER, ""))
    stream = client(Asked("GET", f"{base}/stream/{job}", BARE, None))
    cancelled = client(Asked("POST", f"{base}/cancel/{job}", BARE, "{}"))

    assert submitted["status"] == "IN_QUEUE"
    assert (json.loads(ended.text)["status"], json.loads(ended.text)["output"]) == ("COMPLETED", {"answer": 42})
    assert again == ended
    assert json.loads(stream.text) == {"status": "COMPLETED", "stream": []}
    assert json.loads(cancelled.text) == {"id": job, "status": "COMPLETED"}
    assert {told.media_type for told in (ended, stream, cancelled)} == {"application/json"}


REFUSED = [
    ("POST", "ok/run", "wrong", INPUT), ("POST", "nowhere/run", BARE, INPUT), ("POST", "ok/run", BARE, "{"),
    ("GET", "ok/status/x", BARE, None), ("POST", "ok/runsync?wait=29", BARE, INPUT), ("GET", "ok/run", BARE, None),
    ("GET", "ok/batch", BARE, None), ("POST", "e429/run", BARE, INPUT), ("POST", "e502/run", BARE, INPUT),
]  # fmt: skip


@pytest.mark.parametrize("client", CLIENTS[1:])
def test_every_client_is_refused_alike(stage: Stage, client: Callable[[Asked], Told]) -> None:
    asked = [Asked(method, f"{stage.base}/{path}", key, body) for method, path, key, body in REFUSED]

    told = [client(one) for one in asked]

    assert [one.status for one in told] == [401, 404, 400, 404, 400, 405, 400, 429, 502]
    assert told == [by_httpx(one) for one in asked]


def test_a_body_that_waits_for_a_go_ahead_is_let_go(stage: Stage) -> None:
    big = json.dumps({"input": {"text": "x" * 2_000_000}})
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("curl is not installed")

    said = subprocess.run(
        [curl, "-sS", f"{stage.base}/ok/run", "-H", f"Authorization: {KEY}", "-H", "Expect: 100-continue", "--data-binary", "@-"],
        input=big, capture_output=True, text=True, timeout=60, check=True,
    ).stdout  # fmt: skip

    assert json.loads(without_ids(said)) == {"id": "JOB", "status": "IN_QUEUE"}
