"""Several processes on one port: who is started, who is started again, and how all of them end."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server.transports import workers
from tzzr_mcp.server.transports.how import How
from tzzr_mcp.server.transports.workers import AGAIN_S, Workers, supervise
from tzzr_mcp.settings import EX_CONFIG

CRASH = 1


@dataclass(eq=False)
class Worker:
    """A process that ends when the test says so, or by the first signal: with the code that tells of it, or another."""

    pid: int
    ended: asyncio.Future[int]
    after: int | None = None
    signals: list[int] = field(default_factory=list)

    async def wait(self) -> int:
        return await asyncio.shield(self.ended)

    def send_signal(self, number: int) -> None:
        self.signals.append(number)
        if not self.ended.done():
            self.ended.set_result(128 + number if self.after is None else self.after)


@dataclass
class Started:
    """Every process that was started, what with, and when."""

    workers: list[Worker] = field(default_factory=list)
    asked: list[tuple[tuple[str, ...], dict[str, Any]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def __call__(self, *command: str, **options: Any) -> Worker:
        loop = asyncio.get_running_loop()
        self.asked.append((command, options))
        self.times.append(loop.time())
        self.workers.append(Worker(100 + len(self.workers), loop.create_future()))
        return self.workers[-1]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    record = Started()
    monkeypatch.setattr(asyncio, "create_subprocess_exec", record)
    return record


@pytest.fixture
async def signalled(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[asyncio.Future[int]]:
    """The signal that comes, once its number is set."""
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @contextmanager
    def signals() -> Iterator[asyncio.Future[int]]:
        yield future

    monkeypatch.setattr(workers, "signals", signals)
    yield future
    future.cancel()


class Listener:
    """As far as a listening socket is looked at."""

    def fileno(self) -> int:
        return 9


LISTENER: Any = Listener()
HOW = How(offline=True, open_to_all=True, workers=2)


async def supervised(how: How = HOW) -> asyncio.Task[int]:
    """Workers under supervision, just started."""
    task = asyncio.create_task(supervise(LISTENER, how, {"TZZR_TRANSPORT": "http"}))
    await SystemClock().sleep(0.1)
    return task


async def test_each_worker_inherits_the_listening_socket_and_is_told_how_to_serve(
    started: Started, signalled: asyncio.Future[int]
) -> None:
    supervising = await supervised()
    assert len(started.asked) == 2
    for (program, option, module, told), options in started.asked:
        assert (program, option, module) == (sys.executable, "-m", "tzzr_mcp.server.worker")
        assert How(**json.loads(told)) == How(offline=True, open_to_all=True, workers=2, worker_socket=9)
        assert options == {"env": {"TZZR_TRANSPORT": "http"}, "pass_fds": [9]}
    signalled.set_result(signal.SIGTERM)
    await supervising


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_is_passed_on_to_every_worker_and_nobody_is_started_again(
    started: Started, signalled: asyncio.Future[int], number: int
) -> None:
    supervising = await supervised()
    signalled.set_result(number)
    assert await supervising == 128 + number
    await SystemClock().sleep(10 * AGAIN_S)
    assert [worker.signals for worker in started.workers] == [[number], [number]]


async def test_after_a_signal_it_is_the_signal_that_the_exit_code_tells(
    started: Started, signalled: asyncio.Future[int]
) -> None:
    supervising = await supervised()
    for worker in started.workers:
        worker.after = CRASH
    signalled.set_result(signal.SIGTERM)
    assert await supervising == 143


async def test_a_worker_that_dies_is_started_again_after_a_second_and_the_log_says_so(
    started: Started, signalled: asyncio.Future[int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    supervising = await supervised()
    began = asyncio.get_running_loop().time()
    started.workers[0].ended.set_result(CRASH)
    await SystemClock().sleep(5)
    assert len(started.workers) == 3
    assert started.times[2] == pytest.approx(began + AGAIN_S)
    assert started.asked[2] == started.asked[0]
    assert [record.getMessage() for record in caplog.records] == [
        "worker 100 ended with code 1, another one is started"
    ]
    signalled.set_result(signal.SIGTERM)
    assert await supervising == 143
    assert [worker.signals for worker in started.workers] == [[], [15], [15]], "who is dead gets no signal"


async def test_a_worker_that_its_settings_hold_back_ends_them_all(
    started: Started, signalled: asyncio.Future[int]
) -> None:
    supervising = await supervised()
    started.workers[1].ended.set_result(EX_CONFIG)
    assert await supervising == 128 + signal.SIGTERM
    assert [worker.signals for worker in started.workers] == [[signal.SIGTERM], []]
    assert len(started.workers) == 2


async def test_workers_that_their_settings_hold_back_tell_so_by_their_exit_code(
    started: Started, signalled: asyncio.Future[int]
) -> None:
    supervising = await supervised(How(workers=1))
    started.workers[0].ended.set_result(EX_CONFIG)
    assert await supervising == EX_CONFIG


async def test_a_worker_that_ends_well_by_itself_while_all_end_is_no_success(
    started: Started, signalled: asyncio.Future[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ended(self: Workers) -> int:
        return 0

    monkeypatch.setattr(Workers, "keep_one", ended)
    assert await (await supervised()) == EX_CONFIG
