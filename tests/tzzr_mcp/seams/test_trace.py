"""What happened, in order: kept, told, and compared by one digest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.seams import Event, NoTrace, Trace

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.lists(each, max_size=3))
DETAILS = st.dictionaries(st.sampled_from(["tool", "ref", "ñ"]), JSON)
EVENTS = st.lists(st.tuples(st.sampled_from(["client", "grace"]), st.sampled_from(["fault", "tool.start"]), DETAILS))


def recorded(events: list[tuple[str, str, dict[str, Any]]]) -> Trace:
    trace = Trace()
    for source, kind, details in events:
        trace.record(source, kind, **details)
    return trace


@given(EVENTS)
def test_the_canonical_form_holds_every_event_in_order(events: list[tuple[str, str, dict[str, Any]]]) -> None:
    held = json.loads(recorded(events).canonical())
    assert held == [{"at": 0, "source": source, "kind": kind, **details} for source, kind, details in events]


@given(EVENTS, EVENTS)
def test_two_traces_have_one_digest_if_and_only_if_the_same_happened(
    one: list[tuple[str, str, dict[str, Any]]], other: list[tuple[str, str, dict[str, Any]]]
) -> None:
    first, second = recorded(one), recorded(other)
    assert (first.digest() == second.digest()) == (first.canonical() == second.canonical())
    assert recorded(one).digest() == first.digest()


def test_the_order_of_an_events_details_is_no_difference() -> None:
    one, other = Trace(), Trace()
    one.record("grace", "fault", kind_of="status", code=500)
    other.record("grace", "fault", code=500, kind_of="status")
    assert one.digest() == other.digest()


def test_an_event_says_when_to_the_microsecond() -> None:
    instants = iter([1.23456789, 2.0])
    trace = Trace(now=lambda: next(instants))
    trace.record("client", "tool.start")
    trace.record("client", "tool.end")
    assert [event.as_json()["at"] for event in trace] == [1.234568, 2.0]


def test_of_more_events_than_are_kept_the_newest_are() -> None:
    trace = Trace(keep=2)
    for number in range(5):
        trace.record("client", "step", number=number)
    assert ([event.details["number"] for event in trace], len(trace)) == ([3, 4], 2)


@pytest.mark.parametrize("trace", [Trace(), NoTrace()], ids=["kept", "not kept"])
def test_a_listener_is_told_of_each_event_until_it_listens_no_more(trace: Trace) -> None:
    told: list[Event] = []
    leave = trace.listen(told.append)
    event = trace.record("grace", "fault", code=500)
    leave()
    trace.record("grace", "fault", code=503)
    assert told == [event]
    assert told[0].details == {"code": 500}


def test_a_listener_may_leave_while_it_is_told() -> None:
    trace, told = Trace(), []

    def once(event: Event) -> None:
        leave()
        told.append(("once", event.kind))

    leave = trace.listen(once)
    trace.listen(lambda event: told.append(("always", event.kind)))
    trace.record("client", "a")
    trace.record("client", "b")
    assert told == [("once", "a"), ("always", "a"), ("always", "b")]


def test_what_is_cleared_is_forgotten_and_what_is_not_kept_never_was_there() -> None:
    trace, none = Trace(), NoTrace()
    trace.record("client", "a")
    trace.clear()
    none.record("client", "a")
    assert [len(trace), len(none)] == [0, 0]
    assert trace.canonical() == none.canonical() == b"[]"


def test_an_event_cannot_be_changed_once_it_is_recorded() -> None:
    event = Trace().record("client", "a", ref="ES")
    with pytest.raises(TypeError, match="does not support item assignment"):
        event.details["ref"] = "FR"  # type: ignore[index]
