"""What is kept in memory: never more than the limit, never longer than its time, never another's value."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mcp.services.worlds import new_seams
from tzzr_mcp.services.cache import MemoryStore
from tzzr_mocks.network.virtual import new_virtual_loop

KEYS = st.sampled_from("abcd")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS, st.binary(max_size=12), st.integers(1, 20)),
        st.tuples(st.just("get"), KEYS),
        st.tuples(st.just("wait"), st.integers(1, 15)),
    ),
    max_size=40,
)


@given(STEPS, st.integers(0, 30))
def test_it_gives_what_was_put_last_or_nothing_and_keeps_to_its_size_and_times(
    steps: list[tuple[object, ...]], limit: int
) -> None:
    async def play() -> None:
        seams = new_seams()
        store = MemoryStore(seams.clock, limit)
        put: dict[object, tuple[object, float]] = {}
        for step in steps:
            match step:
                case ("put", str(key), bytes(value), int(ttl)):
                    await store.put(key, value, ttl)
                    put[key] = (value, seams.clock.monotonic() + ttl)
                case ("get", str(key)):
                    got = await store.get(key)
                    last, until = put.get(key, (None, 0.0))
                    assert got is None or (got == last and seams.clock.monotonic() < until)
                case ("wait", int(seconds)):
                    await seams.clock.sleep(seconds)
            assert 0 <= store.size_bytes <= limit

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        runner.run(play())


async def test_a_value_is_there_until_its_time_is_over() -> None:
    seams = new_seams()
    store = MemoryStore(seams.clock, 100)
    await store.put("a", b"1", 10)
    await seams.clock.sleep(9)
    assert await store.get("a") == b"1"
    await seams.clock.sleep(1)
    assert await store.get("a") is None
    assert store.size_bytes == 0


async def test_the_least_used_is_forgotten_first_and_what_is_too_large_is_not_kept() -> None:
    store = MemoryStore(new_seams().clock, 4)
    await store.put("a", b"11", 10)
    await store.put("b", b"22", 10)
    await store.get("a")
    await store.put("c", b"33", 10)
    await store.put("d", b"55555", 10)
    assert [await store.get(key) for key in "abcd"] == [b"11", None, b"33", None]
    await store.aclose()
    assert await store.get("a") is None


async def test_a_store_that_let_go_counts_anew() -> None:
    store = MemoryStore(new_seams().clock, 4)
    await store.put("a", b"111", 10)
    await store.aclose()
    assert store.size_bytes == 0
    await store.put("b", b"2222", 10)
    assert (await store.get("b"), store.size_bytes) == (b"2222", 4)


async def test_what_takes_another_s_place_takes_its_size_too() -> None:
    store = MemoryStore(new_seams().clock, 4)
    await store.put("a", b"111", 10)
    await store.put("a", b"22", 10)
    assert (await store.get("a"), store.size_bytes) == (b"22", 2)
