"""Between lines and JSON-RPC messages: what is no message is answered, not swallowed."""

from __future__ import annotations

import json
from typing import Any, Final

from mcp import types as t
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from tzzr_mcp.contract.errors import shown

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that some editors and shells put before UTF-8."""


class Refusal(t.JSONRPCError):
    """The answer to what never became a request; its ``id`` may be that of a request that is still in flight."""


class NotAMessage(ValueError):
    """A line that is no JSON-RPC message; ``answer`` tells the client why."""

    def __init__(self, code: int, message: str, identity: str | int | None = None) -> None:
        super().__init__(message)
        error = t.ErrorData(code=code, message=message)
        self.answer = Refusal(jsonrpc="2.0", id=identity, error=error)


def parsed(line: bytes) -> t.JSONRPCMessage | None:
    """The message of one line, or None when the line is blank. A byte order mark and a carriage return are let pass.

    Raises:
        NotAMessage: the line is something else.
    """
    text = line.removeprefix(MARK).strip()
    if not text:
        return None
    try:
        message: t.JSONRPCMessage = t.jsonrpc_message_adapter.validate_json(text)
    except ValidationError:
        raise _why(text) from None
    if isinstance(message, t.JSONRPCNotification):
        _refuse_identity(text)
    return message


def _refuse_identity(text: bytes) -> None:
    """Refuse what carries an ``id`` and is no request all the same: the SDK would take it for a notification.

    Its sender waits for an answer, so silence is the one thing that it must not get.
    """
    value = json.loads(text)
    if "id" in value:
        given = shown(value["id"])
        raise NotAMessage(INVALID_REQUEST, f"El «id» de una petición es un texto o un número entero, no {given}.")


def encoded(message: SessionMessage) -> bytes:
    """One line, without its line feed."""
    return message.message.model_dump_json(exclude_unset=True).encode()


def _why(text: bytes) -> NotAMessage:
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return NotAMessage(PARSE_ERROR, "El mensaje contiene medio par sustituto de UTF-16, que no es texto.")
    except RecursionError:
        return NotAMessage(PARSE_ERROR, "El mensaje tiene demasiados niveles anidados.")
    except ValueError:
        return NotAMessage(PARSE_ERROR, f"El mensaje no es JSON en UTF-8: {shown(text.decode(errors='replace'))}.")
    return _not_json_rpc(value)


def in_use(identity: str | int) -> NotAMessage:
    """What a request is told whose ``id`` another one in flight has: the SDK would mix up their answers."""
    text = f"Ya hay una petición en curso con el «id» {shown(identity)}; esta segunda no se atendió. Use otro."
    return NotAMessage(INVALID_REQUEST, text, identity)


def _not_json_rpc(value: Any) -> NotAMessage:
    if isinstance(value, list):
        return NotAMessage(INVALID_REQUEST, "No se admiten lotes de mensajes; envíe cada uno en su línea.")
    identity = value.get("id") if isinstance(value, dict) else None
    known = isinstance(identity, str | int) and not isinstance(identity, bool)
    return NotAMessage(INVALID_REQUEST, f"El mensaje no es JSON-RPC 2.0: {shown(value)}.", identity if known else None)
