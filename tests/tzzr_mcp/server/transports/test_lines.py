"""Lines over descriptors."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from tzzr_mcp.server.transports.lines import AHEAD, CHUNK, Lines, claimed_stdio, write_line

pytestmark = pytest.mark.realtime


async def collected(content: bytes) -> list[bytes]:
    reading, writing = os.pipe()
    lines = Lines(reading)
    await asyncio.to_thread(_put, writing, content)
    return [line async for line in lines]


def _put(descriptor: int, content: bytes) -> None:
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)


async def test_lines_come_whole_however_they_are_cut_into_reads() -> None:
    long = b"x" * (3 * CHUNK + 1)
    assert await collected(b"a\n\n" + long + b"\nb\r\nlast") == [b"a", b"", long, b"b\r", b"last"]
    assert await collected(b"a\n" + long) == [b"a", long]


async def test_no_more_is_read_ahead_than_there_is_room_for() -> None:
    many = [b"%d" % number for number in range(3 * AHEAD)]
    assert await collected(b"\n".join(many) + b"\n") == many


async def test_the_thread_that_reads_holds_no_process_s_end() -> None:
    reading, writing = os.pipe()
    before = set(threading.enumerate())
    lines = Lines(reading)
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon
    os.close(writing)
    assert [line async for line in lines] == []


async def test_a_descriptor_that_cannot_be_read_is_at_its_end() -> None:
    _, writing = os.pipe()
    assert [line async for line in Lines(writing)] == []


async def test_a_long_line_is_written_whole_to_a_slow_reader() -> None:
    reading, writing = os.pipe()
    sending = asyncio.create_task(write_line(writing, b"y" * 200_000))
    lines = aiter(Lines(reading))
    assert await anext(lines) == b"y" * 200_000
    await sending


async def test_writing_to_nobody_is_an_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(OSError, match="pipe"):
        await write_line(writing, b"z")


def test_claimed_stdio_keeps_stray_prints_and_reads_off_the_wire(capfd: pytest.CaptureFixture[str]) -> None:
    with claimed_stdio() as (_, stdout):
        os.write(1, b"stray")
        assert os.read(0, 1) == b""
        os.write(stdout, b"wire")
    os.write(1, b"after")
    told = capfd.readouterr()
    assert told.out == "wireafter"
    assert told.err.startswith("stray")
