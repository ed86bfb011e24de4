"""A real process over real pipes: answers, ends, signals, rough lines, a clean stdout."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.tzzr_mcp.server.tiny import ERAS, Era, text_of

pytestmark = pytest.mark.realtime
ROOT = Path(__file__).parents[4]
COMMAND = [sys.executable, "-W", "error", "-m", "tests.tzzr_mcp.server.tiny_process"]
LIMIT = 120
"""Seconds after which a test gives up: only against hanging for ever, on however busy a machine."""

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


def line(identity: int | None, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message if identity is None else {**message, "id": identity}).encode() + b"\n"


GREETING = line(1, "initialize", **HELLO) + line(None, "notifications/initialized")


def waiting(identity: int, seconds: float) -> bytes:
    return line(identity, "tools/call", name="wait", arguments={"texto": str(seconds)})


@asynccontextmanager
async def process() -> AsyncIterator[asyncio.subprocess.Process]:
    """The server, killed if a test leaves it alive."""
    pipe = asyncio.subprocess.PIPE
    started = await asyncio.create_subprocess_exec(*COMMAND, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
            await started.communicate()


async def sent(*lines: bytes) -> tuple[int, list[Any], str]:
    """Everything sent at once, then the end of stdin: exit code, answers, stderr."""
    async with process() as server, asyncio.timeout(LIMIT):
        out, err = await server.communicate(b"".join(lines))
    assert server.returncode is not None
    return server.returncode, [json.loads(answer) for answer in out.splitlines()], err.decode()


async def piped(*lines: bytes) -> tuple[int, dict[Any, Any], str]:
    """As `sent`, with the answers by id."""
    code, answers, err = await sent(*lines)
    return code, {answer["id"]: answer for answer in answers}, err


@pytest.mark.parametrize("era", ERAS)
async def test_an_sdk_client_talks_to_the_process_in_both_eras(era: Era) -> None:
    parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], cwd=ROOT, env=dict(os.environ))
    async with asyncio.timeout(LIMIT), Client(parameters, mode=era, cache=None) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["echo", "wait"]
        assert text_of(await client.call_tool("echo", {"texto": "ñ\u2028👍"})) == "ñ\u2028👍"


async def test_requests_piped_in_are_answered_before_the_process_ends() -> None:
    code, answers, err = await piped(GREETING, waiting(2, 0.2), line(3, "tools/list"))
    assert code == 0
    assert answers[2]["result"]["content"][0]["text"] == "hecho"
    assert [tool["name"] for tool in answers[3]["result"]["tools"]] == ["echo", "wait"]
    assert "a stray print" in err


async def test_rough_lines_are_answered_and_the_session_goes_on() -> None:
    rough = [b"\xef\xbb\xbf", GREETING, b"\r\n\n", b"nonsense\n", b'{"id":5}\n', line(6, "nope"), b"[1]\n"]
    long = line(7, "tools/call", name="echo", arguments={"texto": "x" * 200_000})
    code, answers, _ = await piped(*rough, long, line(8, "ping")[:-1])
    assert code == 0
    assert answers[5]["error"]["code"] == -32600
    assert answers[6]["error"]["code"] == -32601
    assert len(answers[7]["result"]["content"][0]["text"]) == 200_000
    assert answers[8]["result"] == {}
    assert answers[None]["error"]["code"] in {-32600, -32700}


@pytest.mark.slow
async def test_ids_that_nobody_could_answer_to_are_refused_and_not_passed_over() -> None:
    null, fraction = (b'{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' % each for each in (b"null", b"1.5"))
    deep = b"[" * 50_000 + b"\n"
    code, out, _ = await sent(GREETING, null, fraction, deep, line(2, "ping"))
    told = [answer["error"]["message"] for answer in out if answer["id"] is None]
    assert code == 0
    assert [part in message for part, message in zip(("no null", "no 1.5", "niveles"), told, strict=True)] == [True] * 3
    assert out[-1] == {"jsonrpc": "2.0", "id": 2, "result": {}}


@pytest.mark.slow
async def test_params_null_and_an_unknown_method_are_answered() -> None:
    null = b'{"jsonrpc":"2.0","id":2,"method":"ping","params":null}\n'
    _, answers, _ = await piped(GREETING, null, line(3, "nope"))
    assert answers[2]["result"] == {}
    assert answers[3]["error"]["code"] == -32601


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
async def test_a_signal_ends_an_idle_process_although_stdin_is_open(number: signal.Signals) -> None:
    async with process() as server, asyncio.timeout(LIMIT):
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(GREETING)
        await server.stdout.readline()
        server.send_signal(number)
        assert await server.wait() == 128 + number


@pytest.mark.slow
async def test_a_second_signal_ends_at_once() -> None:
    async with process() as server, asyncio.timeout(LIMIT):
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(GREETING)
        await server.stdout.readline()
        server.stdin.write(waiting(2, 300) + line(3, "ping"))
        await server.stdout.readline()
        server.send_signal(signal.SIGINT)
        while b"ending" not in await server.stderr.readline():
            pass
        server.send_signal(signal.SIGINT)
        assert await server.wait() == 130


@pytest.mark.slow
async def test_a_client_that_never_reads_stderr_is_answered_all_the_same() -> None:
    many = 1500
    unread, stderr = os.pipe()
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(*COMMAND, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=stderr)
    os.close(stderr)
    async with asyncio.timeout(LIMIT):
        out, _ = await server.communicate(GREETING + b"nonsense nonsense nonsense\n" * many)
    os.close(unread)
    assert len(out.splitlines()) == many + 1


@pytest.mark.slow
async def test_a_client_that_stops_reading_ends_the_server() -> None:
    reading, writing = os.pipe()
    server = await asyncio.create_subprocess_exec(
        *COMMAND, cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=writing, stderr=asyncio.subprocess.DEVNULL
    )
    os.close(writing)
    os.close(reading)
    async with asyncio.timeout(LIMIT):
        assert server.stdin is not None
        server.stdin.write(GREETING)
        assert await server.wait() == 0
