"""Serving over HTTP in this process, as the command does: until a signal comes, with stdio beside it or without."""

from __future__ import annotations

import http.client
import json
import logging
import os
import queue
import re
import signal
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from tests.tzzr_mcp.server.tiny import ENVIRON, a_server
from tests.tzzr_mcp.server.transports.test_stdio import GREETING, line
from tzzr_mcp.seams import Seams
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.transports import web
from tzzr_mcp.server.transports.how import How
from tzzr_mcp.server.transports.http import HttpOptions
from tzzr_mcp.server.transports.http.serve import listen
from tzzr_mcp.settings import StartError

pytestmark = [pytest.mark.realtime, pytest.mark.enable_socket, pytest.mark.usefixtures("caught_signals")]
LIMIT = 60


def server_of(**environ: str) -> TzzrServer:
    return a_server(seams=Seams(), environ={**ENVIRON, "TZZR_HTTP_PORT": "0", **environ})


class Told(logging.Handler):
    """What the transports log, as it comes."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.put(f"{record.levelname} {record.getMessage()}")


@pytest.fixture
def told() -> Iterator[Told]:
    handler, logger = Told(), logging.getLogger("tzzr_mcp.server.transports.web")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


def alive(port: int) -> bool:
    """Whether a server answers at the port."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    finally:
        connection.close()


@contextmanager
def visitor(port: int | None, told: Told, *, number: int = signal.SIGTERM) -> Iterator[list[Any]]:
    """Somebody who asks the server how it is, once it says where it listens, and then ends this process's serving."""
    seen: list[Any] = []

    def visit() -> None:
        if port is None:
            seen.append(told.lines.get(timeout=LIMIT))
        found = port or int(re.findall(r":(\d+)", seen[0])[0])
        seen.append(alive(found))
        os.kill(os.getpid(), number)

    thread = threading.Thread(target=visit, daemon=True)
    thread.start()
    yield seen
    thread.join(LIMIT)
    while not told.lines.empty():
        seen.append(told.lines.get())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_listens_and_serves_until_a_signal_comes(told: Told, number: int) -> None:
    with visitor(None, told, number=number) as seen:
        code = web.serve(server_of(TZZR_TRANSPORT="http,sse"), How(), {})
    assert code == 128 + number
    listening, answered, *more = seen
    assert re.fullmatch(
        r"INFO listening on http://127\.0\.0\.1:\d+: Streamable HTTP at /mcp, HTTP\+SSE at /sse", listening
    )
    assert (answered, more) == (True, [])


def test_who_serves_every_address_without_a_token_is_warned(told: Told) -> None:
    with visitor(None, told) as seen:
        web.serve(server_of(TZZR_TRANSPORT="sse", TZZR_HTTP_HOST="0.0.0.0"), How(open_to_all=True), {})  # noqa: S104
    listening, answered, *more = seen
    port = listening.split(":")[2]
    assert listening == f"INFO listening on http://0.0.0.0:{port}: HTTP+SSE at /sse"
    assert answered
    assert more == [
        f"WARNING whoever reaches http://0.0.0.0:{port} may use it: no token is set (TZZR_HTTP_TOKEN)",
    ]


def test_who_serves_every_address_with_a_token_is_not(told: Told) -> None:
    with visitor(None, told) as seen:
        environ = {"TZZR_TRANSPORT": "http", "TZZR_HTTP_HOST": "0.0.0.0", "TZZR_HTTP_TOKEN": "alfa"}  # noqa: S104
        web.serve(server_of(**environ), How(), {})
    assert len(seen) == 2


def test_an_address_of_version_six_is_told_as_a_url_has_it(told: Told) -> None:
    options = HttpOptions(host="::1", port=0)
    with listen(options) as listener:
        web._tell(options, listener)
        port = listener.getsockname()[1]
    assert told.lines.get() == f"INFO listening on http://[::1]:{port}: Streamable HTTP at /mcp, HTTP+SSE at /sse"


def test_a_worker_serves_the_socket_that_it_inherits_and_says_nothing_of_it(told: Told) -> None:
    with listen(HttpOptions(port=0)) as listener:
        port = listener.getsockname()[1]
        inherited = How(workers=2, worker_socket=os.dup(listener.fileno()))
        with visitor(port, told) as seen:
            assert web.serve(server_of(TZZR_TRANSPORT="http"), inherited, {}) == 143
    assert seen == [True]


def test_several_workers_are_supervised_with_what_the_server_was_built_from(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, How, Mapping[str, str]]] = []

    async def supervise(listener: socket.socket, how: How, environ: Mapping[str, str]) -> int:
        seen.append((listener.getsockname()[1], how, environ))
        return 7

    monkeypatch.setattr(web, "supervise", supervise)
    how, environ = How(workers=2), {"TZZR_PLUGINS": "tiny"}
    assert web.serve(server_of(TZZR_TRANSPORT="http"), how, environ) == 7
    ((port, given, variables),) = seen
    assert (given, variables) == (how, environ)
    assert told.lines.get() == f"INFO listening on http://127.0.0.1:{port}: Streamable HTTP at /mcp"


def test_one_worker_is_no_reason_to_refuse_stdio_and_two_are() -> None:
    with pytest.raises(StartError) as caught:
        web.serve(server_of(TZZR_TRANSPORT="stdio,http"), How(workers=2), {})
    assert str(caught.value) == "--workers 2 cannot serve stdio: it belongs to one process; leave stdio out."


def test_a_system_whose_processes_inherit_no_descriptors_has_one_worker(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "fork")
    with pytest.raises(StartError) as caught:
        web.serve(server_of(TZZR_TRANSPORT="http"), How(workers=2), {})
    assert str(caught.value) == "--workers 2 needs descriptors that processes inherit; this system has none."
    with visitor(None, told) as seen:
        assert web.serve(server_of(TZZR_TRANSPORT="http"), How(), {}) == 143
    assert seen[1:] == [True]


@contextmanager
def piped_stdio() -> Iterator[tuple[int, int]]:
    """The client's ends of pipes that are this process's stdin and stdout meanwhile."""
    stdin, client_out = os.pipe()
    client_in, stdout = os.pipe()
    kept = os.dup(0), os.dup(1)
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    for descriptor in (stdin, stdout):
        os.close(descriptor)
    try:
        yield client_out, client_in
    finally:
        for number, descriptor in enumerate(kept):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(client_in)


def test_stdio_is_served_beside_http_and_its_end_ends_nothing_else(told: Told) -> None:
    answers: list[Any] = []
    with piped_stdio() as (stdin, stdout):
        os.write(stdin, GREETING + line(2, "ping"))

        def talk() -> None:
            with os.fdopen(stdout, "rb", closefd=False) as stream:
                answers.extend(json.loads(stream.readline()) for _ in range(2))
            os.close(stdin)
            with visitor(None, told) as seen:
                answers.append(seen)

        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        code = web.serve(server_of(TZZR_TRANSPORT="stdio,http"), How(), {})
        thread.join(LIMIT)
    assert code == 143
    greeting, pong, (_, answered) = answers
    assert greeting["result"]["serverInfo"]["name"] == "mcp-server-tzzr"
    assert pong == {"jsonrpc": "2.0", "id": 2, "result": {}}
    assert answered


def test_where_stdio_is_not_served_it_stays_the_process_s_own(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def claimed() -> None:
        raise AssertionError("nobody serves stdio")

    monkeypatch.setattr(web, "claimed_stdio", claimed)
    with visitor(None, told):
        assert web.serve(server_of(TZZR_TRANSPORT="http"), How(), {}) == 143
