"""The exceptions that a client of a real socket sees, with their chain of causes.

httpcore's pool raises ``exc from None``, so that a cause survives as context alone: each link of the chain must really
be raised while the one before is handled.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from functools import cache
from typing import NoReturn

import anyio
import httpcore

_SELF_SIGNED = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate"
_PLAIN = b"HTTP/1.1 400 Bad Request\r\n\r\n"
_REFUSED = "All connection attempts failed"
_UNKNOWN_NAME = "Name or service not known"


def raise_from(error: BaseException, *causes: BaseException) -> NoReturn:
    """Raise ``error`` as if it had been caused by the first of ``causes``, that one by the second, and so on.

    Raises:
        BaseException: always ``error``.
    """
    try:
        if len(causes) > 1:
            raise_from(causes[0], *causes[1:])
        raise causes[0]
    except BaseException as cause:
        raise error from cause


def system_error(number: int) -> OSError:
    """The error of a system call."""
    return OSError(number, os.strerror(number))


def refuse(host: str, port: int) -> NoReturn:
    """Nobody listens there.

    Raises:
        httpcore.ConnectError: always.
    """
    refused = ConnectionRefusedError(errno.ECONNREFUSED, f"Connect call failed ('{host}', {port})")
    raise_from(httpcore.ConnectError(_REFUSED), OSError(_REFUSED), refused)


def unknown_name() -> NoReturn:
    """The resolver does not know the host.

    Raises:
        httpcore.ConnectError: always.
    """
    cause = socket.gaierror(socket.EAI_NONAME, _UNKNOWN_NAME)
    raise_from(httpcore.ConnectError(str(cause)), cause)


def lost(error: httpcore.NetworkError, cause: OSError) -> NoReturn:
    """The connection broke while somebody read or wrote.

    Raises:
        httpcore.NetworkError: always ``error``.
    """
    raise_from(error, anyio.BrokenResourceError(), cause)


def shake_hands(answer: bytes | None) -> NoReturn:
    """Let this Python's TLS begin a handshake with a peer that answers so: the empty answer is silence, None is FIN.

    Raises:
        ssl.SSLError: always; text and class are those of this Python.
    """
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_bio(incoming, outgoing, server_hostname="fake")
    if answer is None:
        incoming.write_eof()
    else:
        incoming.write(answer)
    client.do_handshake()
    raise AssertionError(f"{answer!r} passed for a handshake")


@cache
def _met(answer: bytes | None) -> ssl.SSLError:
    try:
        shake_hands(answer)
    except ssl.SSLError as error:
        return error.with_traceback(None)


def _verify() -> NoReturn:
    place = "".join(re.findall(r" \(_ssl\.c:\d+\)", str(_met(_PLAIN))))
    cause = ssl.SSLCertVerificationError(1, f"{_SELF_SIGNED}{place}")
    raise_from(httpcore.ConnectError(cause.args[1]), cause)


def _plain() -> NoReturn:
    cause = ssl.SSLError(*_met(_PLAIN).args)
    raise_from(httpcore.ConnectError(cause.args[1]), cause)


def _eof() -> NoReturn:
    met = _met(None)
    cause = type(met)(*met.args)
    if isinstance(cause, ssl.SSLEOFError):
        raise_from(httpcore.ConnectError(""), anyio.EndOfStream(), cause)
    # Early releases of Python 3.11 take an end without a farewell for a proper end, and anyio passes that on.
    raise_from(httpcore.ConnectError(cause.args[1]), cause)


def _reset() -> NoReturn:
    raise_from(httpcore.ConnectError(""), anyio.BrokenResourceError(), system_error(errno.ECONNRESET))


TLS_ENDS: Mapping[str, Callable[[], NoReturn]] = {"verify": _verify, "plain": _plain, "eof": _eof, "reset": _reset}
"""How a TLS handshake can end badly; each raises ``httpcore.ConnectError``."""
