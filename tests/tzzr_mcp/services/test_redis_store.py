"""Answers in a real Redis: kept, expired by it, and no call fails or waits when it is away."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from tzzr_mcp.seams import Seams, Trace

redis_store = pytest.importorskip("tzzr_mcp.services.redis_store", reason="the extra redis is not installed")

PROGRAM = shutil.which("redis-server")
pytestmark = [
    pytest.mark.realtime,
    pytest.mark.skipif(PROGRAM is None, reason="there is no redis-server; Debian's package redis-server has it"),
]


@asynccontextmanager
async def a_redis(folder: Path) -> AsyncIterator[SecretStr]:
    """A Redis of its own on a unix socket, without a port, that writes nothing to disk."""
    socket = folder / "redis.sock"
    command = (str(PROGRAM), "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(20):
            async for line in process.stdout:
                if b"ready to accept connections" in line.lower():
                    break
        yield SecretStr(f"unix://{socket}")
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_what_is_put_is_got_by_another_process_until_redis_lets_it_expire(tmp_path: Path) -> None:
    seams = Seams()
    async with a_redis(tmp_path) as url:
        one, other = redis_store.RedisStore(url, seams), redis_store.RedisStore(url, seams)
        await one.put("a", b"\x00\xff", 60)
        await one.put("b", b"2", 0.05)
        assert await other.get("a") == b"\x00\xff"
        await seams.clock.sleep(0.1)
        assert [await other.get("b"), await other.get("c")] == [None, None]
        for store in (one, other):
            await store.aclose()


async def test_a_redis_that_is_away_has_nothing_and_is_left_alone_for_a_while(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seams = Seams(trace=Trace())
    store = redis_store.RedisStore(SecretStr(f"unix://:swordfish@{tmp_path}/nobody.sock"), seams)
    with caplog.at_level(logging.WARNING):
        await store.put("a", b"1", 60)
        assert [await store.get("a") for _ in range(5)] == [None] * 5
    assert len(caplog.records) == 1
    assert "swordfish" not in caplog.text
    assert [event.details for event in seams.trace] == [{"service": "cache", "state": "open"}]
    await store.aclose()
