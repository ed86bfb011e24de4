"""From lines to messages: what is none is answered with why."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import types as t
from mcp.shared.message import SessionMessage

from tzzr_mcp.server.transports.messages import NotAMessage, encoded, parsed

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.mark.parametrize("line", [PING, b"\xef\xbb\xbf" + PING, PING + b"\r", b"  " + PING + b"\t"])
def test_marks_and_blanks_around_a_message_are_let_pass(line: bytes) -> None:
    message = parsed(line)
    assert isinstance(message, t.JSONRPCRequest)
    assert message.method == "ping"


@pytest.mark.parametrize("line", [b"", b"\r", b"  \t "])
def test_a_blank_line_is_nothing(line: bytes) -> None:
    assert parsed(line) is None


@pytest.mark.parametrize(
    ("line", "code", "identity", "told"),
    [
        (b"hola", -32700, None, 'no es JSON en UTF-8: "hola".'),
        (b'{"a":"\xff"}', -32700, None, "no es JSON en UTF-8"),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32700, None, "medio par sustituto"),
        (b"[]", -32600, None, "No se admiten lotes"),
        (b"3", -32600, None, "no es JSON-RPC 2.0: 3."),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7, "no es JSON-RPC 2.0"),
        (b'{"id":"x","method":3}', -32600, "x", "no es JSON-RPC 2.0"),
        (b'{"id":true,"method":3}', -32600, None, "no es JSON-RPC 2.0"),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None, "no null."),
        (b'{"jsonrpc":"2.0","id":2.0,"method":"ping"}', -32600, None, "no 2.0."),
        (b'{"jsonrpc":"2.0","id":false,"method":"ping"}', -32600, None, "no false."),
        (b"[" * 50_000, -32700, None, "demasiados niveles"),
    ],
)
def test_a_line_that_is_no_message_is_refused_with_its_id_if_it_has_one(
    line: bytes, code: int, identity: str | int | None, told: str
) -> None:
    with pytest.raises(NotAMessage) as caught:
        parsed(line)
    answer = caught.value.answer
    assert (answer.error.code, answer.id) == (code, identity)
    assert told in answer.error.message


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_line_is_neither_read_nor_refused(line: bytes) -> None:
    answer: t.JSONRPCMessage | None
    try:
        answer = parsed(line)
    except NotAMessage as refused:
        answer = refused.answer
    if answer is None:
        assert not line.removeprefix(b"\xef\xbb\xbf").strip()
    else:
        assert json.loads(encoded(SessionMessage(answer)))["jsonrpc"] == "2.0"
