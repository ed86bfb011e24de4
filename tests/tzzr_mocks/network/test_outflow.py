"""However a server splits its bytes, a script ends them at the same one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.network.outflow import Outflow
from tzzr_mocks.network.script import Break, Drip, Script
from tzzr_mocks.network.virtual import new_virtual_loop

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n"
BODY = b"0123456789abcdefghij"


@dataclass
class Wire:
    """What has reached the client, and when."""

    data: bytearray = field(default_factory=bytearray)
    end: str = ""
    times: list[float] = field(default_factory=list)

    def deliver(self, data: bytes) -> None:
        self.data += data
        self.times.append(asyncio.get_running_loop().time())

    def finish(self) -> None:
        self.end = "close"

    def reset(self) -> None:
        self.end = "reset"


def split(data: bytes, places: list[int]) -> list[bytes]:
    cuts = [0, *sorted(place for place in places if place < len(data)), len(data)]
    return [data[start:end] for start, end in pairwise(cuts)]


def flowed(script: Script, pieces: list[bytes], close: bool = True) -> Wire:
    """What reaches the client when the server writes these pieces and closes."""
    wire = Wire()

    async def run() -> None:
        outflow = Outflow(wire, script)
        for piece in pieces:
            outflow.write(piece)
        if close:
            outflow.close()
        waiting = asyncio.Event()
        asyncio.get_running_loop().call_later(10_000, waiting.set)
        await waiting.wait()

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        runner.run(run())
    return wire


SPLITS = st.lists(st.integers(1, len(HEAD) + len(BODY)), max_size=6)


@given(SPLITS, st.integers(1, 19), st.sampled_from(["reset", "close", "hang"]))
def test_a_break_in_the_body_is_after_so_many_of_its_bytes(places: list[int], after: int, end: Any) -> None:
    wire = flowed(Script(broken=Break(end, "body", after)), split(HEAD + BODY, places))

    assert bytes(wire.data) == HEAD + BODY[:after]
    assert wire.end == ("" if end == "hang" else end)


@given(SPLITS, st.integers(0, len(HEAD) - 1))
def test_a_break_in_the_head_lets_no_body_through(places: list[int], after: int) -> None:
    wire = flowed(Script(broken=Break("reset", "head", after)), split(HEAD + BODY, places))

    assert bytes(wire.data) == HEAD[:after]
    assert wire.end == "reset"


@given(SPLITS, st.integers(1, 7))
def test_a_drip_loses_nothing_and_closes_after_the_last_byte(places: list[int], size: int) -> None:
    wire = flowed(Script(drip=Drip(size, 2.0)), split(HEAD + BODY, places))

    assert bytes(wire.data) == HEAD + BODY
    assert wire.end == "close"
    times = sorted(set(wire.times))
    assert {later - earlier for earlier, later in pairwise(times)} <= {2.0}


@given(SPLITS)
def test_without_a_script_everything_passes(places: list[int]) -> None:
    wire = flowed(Script(), split(HEAD + BODY, places))

    assert (bytes(wire.data), wire.end) == (HEAD + BODY, "close")


def test_raw_bytes_stand_in_the_replys_place() -> None:
    wire = flowed(Script(raw=b"SSH-2.0-OpenSSH\r\n"), [HEAD, BODY], close=False)

    assert (bytes(wire.data), wire.end) == (b"SSH-2.0-OpenSSH\r\n", "close")


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (Script(connect="dns"), Script(pool=True), Script(connect="dns", pool=True)),
        (Script(drip=Drip(1, 1.0)), Script(broken=Break("hang")), Script(drip=Drip(1, 1.0), broken=Break("hang"))),
        (Script(tls="eof"), Script(tls="verify"), Script(tls="verify")),
    ],
)
def test_two_scripts_join_and_the_later_counts_where_they_differ(one: Script, other: Script, joined: Script) -> None:
    assert one.joined(other) == joined


@pytest.mark.parametrize(
    ("script", "client"), [(Script(connect="refused"), True), (Script(pool=True), True), (Script(raw=b"x"), False)]
)
def test_what_only_a_client_meets_is_known(script: Script, client: bool) -> None:
    assert script.needs_client is client
