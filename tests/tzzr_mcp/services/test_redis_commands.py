"""What the store asks of Redis, and what it does when Redis fails, on a Redis that is a dictionary."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from pydantic import SecretStr

from tests.tzzr_mcp.services.worlds import new_seams
from tzzr_mcp.seams import Seams

redis_store = pytest.importorskip("tzzr_mcp.services.redis_store", reason="the extra redis is not installed")
LOGGER = "tzzr_mcp.services.redis_store"


class Dictionary:
    """Answers as redis-py does, or raises ``error``."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.asked: list[tuple[Any, ...]] = []
        self.error: Exception | None = None
        self.closed = False

    async def get(self, key: str) -> Any:
        self._ask("get", key)
        return self.kept.get(key)

    async def set(self, key: str, value: bytes, *, px: int) -> None:
        self._ask("set", key, value, px)
        self.kept[key] = value

    async def aclose(self) -> None:
        self.closed = True

    def _ask(self, *command: Any) -> None:
        self.asked.append(command)
        if self.error is not None:
            raise self.error


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> Dictionary:
    made = Dictionary()

    def from_url(url: str, **options: float) -> Dictionary:
        made.asked.append((url, options))
        return made

    monkeypatch.setattr(redis_store.redis, "from_url", from_url)
    return made


def a_store(seams: Seams | None = None) -> Any:
    return redis_store.RedisStore(SecretStr("redis://:swordfish@cache"), seams or new_seams())


async def test_keys_have_a_prefix_values_expire_in_milliseconds_and_no_command_takes_long(redis: Dictionary) -> None:
    store = a_store()
    await store.put("a", b"\x00\xff", 60)
    await store.put("b", b"2", 0.0001)
    assert [await store.get("a"), await store.get("c")] == [b"\x00\xff", None]
    await store.aclose()
    assert redis.asked == [
        ("redis://:swordfish@cache", {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}),
        ("set", "tzzr:answer:1:a", b"\x00\xff", 60_000),
        ("set", "tzzr:answer:1:b", b"2", 1),
        ("get", "tzzr:answer:1:a"),
        ("get", "tzzr:answer:1:c"),
    ]
    assert redis.closed


async def test_what_is_no_bytes_is_no_value(redis: Dictionary) -> None:
    redis.kept["tzzr:answer:1:a"] = "text"
    assert await a_store().get("a") is None


@pytest.mark.parametrize("error", [OSError("redis://:swordfish@cache"), redis_store.RedisError("swordfish")])
@pytest.mark.parametrize("first", ["get", "put"])
async def test_after_one_failure_it_is_told_by_its_kind_and_left_alone_for_fifteen_seconds(
    redis: Dictionary, caplog: pytest.LogCaptureFixture, error: Exception, first: str
) -> None:
    seams = new_seams()
    store = a_store(seams)
    redis.error = error
    with caplog.at_level(logging.WARNING, LOGGER):
        assert (await store.get("a") if first == "get" else await store.put("a", b"1", 60)) is None
        assert await store.get("a") is None
        await store.put("a", b"1", 60)
    assert [record.getMessage() for record in caplog.records] == [f"the cache does not answer: {type(error).__name__}"]
    assert len(redis.asked) == 2
    assert [event.details for event in seams.trace] == [{"service": "cache", "state": "open"}]
    redis.error = None
    await seams.clock.sleep(15)
    await store.put("a", b"1", 60)
    assert await store.get("a") == b"1"
