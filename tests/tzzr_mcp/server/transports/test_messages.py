"""From lines to messages: what is none is answered with why."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import types as t
from mcp.shared.message import SessionMessage

from tzzr_mcp.server.transports.messages import NotAMessage, encoded, in_use, parsed

WRONG_ID = "El «id» de una petición es un texto o un número entero, no"
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
        (b"hola", -32700, None, 'El mensaje no es JSON en UTF-8: "hola".'),
        (b'{"a":"\xff"}', -32700, None, r'El mensaje no es JSON en UTF-8: "{\"a\":\"�\"}".'),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
            -32700,
            None,
            "El mensaje contiene medio par sustituto de UTF-16, que no es texto.",
        ),
        (b"[]", -32600, None, "No se admiten lotes de mensajes; envíe cada uno en su línea."),
        (b"3", -32600, None, "El mensaje no es JSON-RPC 2.0: 3."),
        (
            b'{"jsonrpc":"1.0","id":7,"method":"ping"}',
            -32600,
            7,
            'El mensaje no es JSON-RPC 2.0: {"jsonrpc": "1.0", "id": 7, "method": "p….',
        ),
        (b'{"id":"x","method":3}', -32600, "x", 'El mensaje no es JSON-RPC 2.0: {"id": "x", "method": 3}.'),
        (b'{"id":true,"method":3}', -32600, None, 'El mensaje no es JSON-RPC 2.0: {"id": true, "method": 3}.'),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None, f"{WRONG_ID} null."),
        (b'{"jsonrpc":"2.0","id":2.0,"method":"ping"}', -32600, None, f"{WRONG_ID} 2.0."),
        (b'{"jsonrpc":"2.0","id":false,"method":"ping"}', -32600, None, f"{WRONG_ID} false."),
        (b"[" * 50_000, -32700, None, "El mensaje tiene demasiados niveles anidados."),
    ],
)
def test_a_line_that_is_no_message_is_refused_with_its_id_if_it_has_one(
    line: bytes, code: int, identity: str | int | None, told: str
) -> None:
    with pytest.raises(NotAMessage) as caught:
        parsed(line)
    answer = caught.value.answer
    assert (answer.error.code, answer.id) == (code, identity)
    assert answer.error.message == str(caught.value) == told


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


@pytest.mark.parametrize("line", [b"[]", b"3", b"nada"])
def test_a_refusal_without_an_id_says_null_for_it(line: bytes) -> None:
    with pytest.raises(NotAMessage) as caught:
        parsed(line)
    answer = json.loads(encoded(SessionMessage(caught.value.answer)))
    assert (answer["id"], set(answer), set(answer["error"])) == (None, {"jsonrpc", "id", "error"}, {"code", "message"})


def test_what_goes_out_has_the_names_of_the_wire_and_nothing_that_was_not_said() -> None:
    request = t.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")
    assert json.loads(encoded(SessionMessage(request))) == {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize("identity", [7, "siete"])
def test_an_id_in_use_is_told_with_the_mend(identity: int | str) -> None:
    refused = in_use(identity)
    assert (refused.answer.id, refused.answer.error.code) == (identity, -32600)
    shown = json.dumps(identity)
    assert str(refused) == (f"Ya hay una petición en curso con el «id» {shown}; esta segunda no se atendió. Use otro.")
