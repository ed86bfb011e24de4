"""Host and Origin: whether a page of somebody else's can make a browser talk to a server of ours.

DNS rebinding needs a name that the attacker controls, so an address as Host is always safe; names must be this
machine's own, or be given. A page may only talk to the server that it came from, unless its origin is given.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from tzzr_mcp.checks.environment import StartError, words

log = logging.getLogger(__name__)

ANY = "*"
_NOWHERE = "null"
"""What a browser sends for a page without an origin: a file, a sandboxed frame."""


@dataclass(frozen=True)
class Turned:
    """A request that is not let in: an HTTP status and a Spanish sentence."""

    status: int
    text: str


class Visitors:
    """Who may come to a server that listens at ``address``.

    ``hosts`` are the names under which it may be reached beside those that are always safe, ``origins`` the web pages
    that may use it. ``variables`` are the settings that hold the two, for the log.
    """

    def __init__(
        self,
        address: str,
        hosts: Iterable[str] = (),
        origins: Iterable[str] = (),
        variables: tuple[str, str] = ("TZZR_HTTP_ALLOWED_HOSTS", "TZZR_HTTP_ALLOWED_ORIGINS"),
    ) -> None:
        self._local = is_loopback(address)
        own = {"localhost"} if self._local else {"localhost", socket.gethostname().lower()}
        self._names = own | {name.lower() for name in hosts}
        self._origins = frozenset(origins)
        self._variables = variables

    def turned(self, host: str, origin: str | None) -> Turned | None:
        """Why a request with these headers is not let in: a Host that is not ours, an Origin that is not welcome."""
        if not self._is_ours(host):
            log.warning("refused Host %r; to let it in, name it in %s", host[:200], self._variables[0])
            return Turned(421, f"El servidor no atiende bajo el nombre «{host[:100]}» (cabecera Host).")
        if origin is not None and not self._is_welcome(origin, host):
            log.warning("refused Origin %r; to let it in, name it in %s", origin[:200], self._variables[1])
            return Turned(403, f"El servidor no admite páginas de «{origin[:100]}» (cabecera Origin).")
        return None

    def _is_ours(self, host: str) -> bool:
        name = _name(f"//{host}")
        if name is None:
            return False
        if name in self._names or host.lower() in self._names or ANY in self._names:
            return True
        return is_loopback(name) if self._local else _is_address(name)

    def _is_welcome(self, origin: str, host: str) -> bool:
        if origin in self._origins or ANY in self._origins:
            return True
        name = _name(origin)
        if name is None or not origin.startswith(("http://", "https://")):
            return False
        return urlsplit(origin).netloc == host or (self._local and is_loopback(name))


def origins_of(value: str, variable: str) -> tuple[str, ...]:
    """The origins that a setting names, with commas between; ``*`` is any.

    Raises:
        StartError: one of them is none, and no browser would ever send it; tells how it is written.
    """
    named = tuple(words(value))
    for name in named:
        if name not in (ANY, _NOWHERE) and (mend := _mended(name)) != name:
            write = f"write {mend}" if mend else "write it as https://app.example"
            raise StartError(f"{variable} names {name!r}, which is no web origin: {write} (scheme, name, port if any)")
    return named


def _mended(origin: str) -> str | None:
    """An origin as browsers send it; None when nothing of the kind can be seen in it."""
    scheme, between, rest = origin.rpartition("://")
    scheme = scheme.lower() if between else "https"
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or any(letter.isspace() for letter in origin):
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}.get(scheme)
    return f"{scheme}://{host}" + (f":{port}" if port not in (None, usual) else "")


def is_loopback(host: str) -> bool:
    """Whether an address or name is this machine's own."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _name(url: str) -> str | None:
    """The host name or address of a URL, in lower case, without port and brackets; None when it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    wrong = parts.path or parts.query or parts.fragment or parts.username is not None
    return None if wrong or not parts.hostname else parts.hostname.rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
