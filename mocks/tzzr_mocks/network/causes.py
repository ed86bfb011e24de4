"""The exceptions that a client of a real socket sees, with their chain of causes.

httpcore's pool raises ``exc from None``, so that a cause survives as context alone: each link of the chain must really
be raised while the one before is handled.
"""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Callable, Mapping
from typing import NoReturn

import anyio
import httpcore

_SELF_SIGNED = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)"
_NOT_TLS = "[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)"
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


def _verify() -> NoReturn:
    cause = ssl.SSLCertVerificationError(1, _SELF_SIGNED)
    raise_from(httpcore.ConnectError(_SELF_SIGNED), cause)


def _plain() -> NoReturn:
    raise_from(httpcore.ConnectError(_NOT_TLS), ssl.SSLError(1, _NOT_TLS))


def _eof() -> NoReturn:
    raise_from(httpcore.ConnectError(""), anyio.EndOfStream())


def _reset() -> NoReturn:
    raise_from(httpcore.ConnectError(""), anyio.BrokenResourceError(), system_error(errno.ECONNRESET))


TLS_ENDS: Mapping[str, Callable[[], NoReturn]] = {"verify": _verify, "plain": _plain, "eof": _eof, "reset": _reset}
"""How a TLS handshake can end badly; each raises ``httpcore.ConnectError``."""
