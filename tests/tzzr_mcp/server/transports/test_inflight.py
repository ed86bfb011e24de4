"""The requests of one connection that have no answer yet."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import types as t

from tzzr_mcp.server.transports.inflight import LISTEN, InFlight
from tzzr_mcp.server.transports.messages import NotAMessage

IDS = st.sampled_from([1, "1", 2, "dos", ""])


def ask(identity: Any, method: str = "ping") -> t.JSONRPCRequest:
    return t.JSONRPCRequest(jsonrpc="2.0", id=identity, method=method)


def answer(identity: Any) -> t.JSONRPCResponse:
    return t.JSONRPCResponse(jsonrpc="2.0", id=identity, result={})


@given(st.lists(st.tuples(st.booleans(), IDS), max_size=30))
def test_exactly_the_requests_without_an_answer_are_refused_a_second_time(steps: list[tuple[bool, Any]]) -> None:
    flight, expected = InFlight(), set()
    for asks, identity in steps:
        if not asks:
            flight.answered(answer(identity))
            expected.discard(str(identity))
        elif str(identity) in expected:
            with pytest.raises(NotAMessage) as caught:
                flight.admit(ask(identity))
            assert caught.value.answer.id == identity
        else:
            flight.admit(ask(identity))
            expected.add(str(identity))
    assert flight.pending is bool(expected)


def test_a_cancelled_request_has_no_answer_to_wait_for() -> None:
    flight = InFlight()
    flight.admit(ask(1))
    flight.admit(t.JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params={"requestId": "1"}))
    assert not flight.pending
    flight.admit(t.JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled"))


def test_no_other_notification_and_no_error_without_an_id_ends_a_request() -> None:
    flight = InFlight()
    flight.admit(ask(1))
    flight.admit(t.JSONRPCNotification(jsonrpc="2.0", method="notifications/progress", params={"requestId": 1}))
    error = t.ErrorData(code=-32603, message="Roto.")
    flight.answered(t.JSONRPCError(jsonrpc="2.0", id=None, error=error))
    assert flight.pending
    flight.answered(t.JSONRPCError(jsonrpc="2.0", id=1, error=error))
    assert not flight.pending


def test_a_refusal_leaves_the_request_with_its_id_in_flight() -> None:
    flight = InFlight()
    flight.admit(ask(1))
    with pytest.raises(NotAMessage) as caught:
        flight.admit(ask(1))
    assert caught.value.answer.id == 1
    flight.answered(caught.value.answer)
    assert flight.pending
    flight.withdraw(ask(1))
    assert not flight.pending


def test_a_stream_that_stays_open_by_design_is_not_waited_for() -> None:
    flight = InFlight()
    flight.admit(ask(1, LISTEN))
    assert not flight.pending
    with pytest.raises(NotAMessage):
        flight.admit(ask(1))
