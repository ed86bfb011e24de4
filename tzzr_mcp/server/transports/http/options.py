"""How the HTTP transports serve, and the start that is refused because it would let strangers in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tzzr_mcp.checks.environment import words
from tzzr_mcp.checks.visitors import is_loopback, origins_of
from tzzr_mcp.http_settings import HttpSettings
from tzzr_mcp.server.transports.http.tokens import Tokens
from tzzr_mcp.settings import PROGRAM, StartError, listed

Wire = Literal["http", "sse"]


@dataclass(frozen=True)
class OAuth:
    """The authorization server whose access tokens are accepted, and what they must say."""

    issuer: str
    jwks_url: str
    resource: str
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True)
class HttpOptions:
    """One HTTP server. ``tokens`` and ``oauth`` say who may come in; without both everybody may.

    ``hosts`` are the names under which it may be reached beside those that are always safe (see `hosts`), ``origins``
    the web pages that may use it. ``max_body`` is in bytes, ``idle_s`` in seconds. ``stateless`` serves old-era
    clients of Streamable HTTP without sessions, so that any worker answers any request.
    """

    wires: frozenset[Wire] = frozenset({"http", "sse"})
    host: str = "127.0.0.1"
    port: int = 8000
    tokens: Tokens | None = None
    oauth: OAuth | None = None
    hosts: frozenset[str] = frozenset()
    origins: tuple[str, ...] = ()
    max_body: int = 10 * 2**20
    max_sessions: int = 2000
    idle_s: float = 1800.0
    stateless: bool = False

    @property
    def guarded(self) -> bool:
        """Whether a client must prove who it is."""
        return self.tokens is not None or self.oauth is not None

    @property
    def local(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)


def http_options(settings: HttpSettings, *, open_to_all: bool, workers: int) -> HttpOptions:
    """What the settings say. ``open_to_all`` lets any address be served without a token (profile ``poc``).

    Raises:
        StartError: an address beyond this machine without a token, half of the OAuth settings, a tokens file that
            cannot be read, an allowed origin that is none, sessions that several workers cannot share.
    """
    options = HttpOptions(
        wires=frozenset(wire for wire in ("http", "sse") if wire in settings.transports()),
        host=settings.http_host,
        port=settings.http_port,
        tokens=_tokens(settings),
        oauth=_oauth(settings),
        hosts=frozenset(name.lower() for name in words(settings.http_allowed_hosts)),
        origins=origins_of(settings.http_allowed_origins, "TZZR_HTTP_ALLOWED_ORIGINS"),
        max_body=settings.http_max_body,
        max_sessions=settings.http_max_sessions,
        idle_s=settings.http_session_idle_s,
        stateless=workers > 1,
    )
    if not (options.local or options.guarded or open_to_all):
        raise StartError(_UNGUARDED.format(host=options.host, program=PROGRAM))
    if workers > 1 and "sse" in options.wires:
        raise StartError(_SSE_WORKERS.format(workers=workers))
    return options


def _tokens(settings: HttpSettings) -> Tokens | None:
    given = settings.http_token.get_secret_value() if settings.http_token else None
    if given is None and settings.http_tokens_file is None:
        return None
    return Tokens(given, settings.http_tokens_file)


def _oauth(settings: HttpSettings) -> OAuth | None:
    issuer, keys, resource = settings.oauth_issuer, settings.oauth_jwks_url, settings.oauth_resource
    if issuer and keys and resource:
        return OAuth(issuer, keys, resource, tuple(settings.oauth_scopes.split()))
    needed = {"TZZR_OAUTH_ISSUER": issuer, "TZZR_OAUTH_JWKS_URL": keys, "TZZR_OAUTH_RESOURCE": resource}
    missing = [name for name, value in needed.items() if not value]
    if len(missing) == len(needed):
        return None
    verb = "is" if len(missing) == 1 else "are"
    raise StartError(f"{listed(missing)} {verb} not set, but OAuth needs all of {listed(list(needed))}.")


_UNGUARDED = """\
TZZR_HTTP_HOST is {host!r}: other machines could use the server, and nothing asks them who they are.
  Set TZZR_HTTP_TOKEN (or TZZR_HTTP_TOKENS_FILE, or TZZR_OAUTH_ISSUER), or listen on this machine alone:
  {program} --transport http --host 127.0.0.1"""

_SSE_WORKERS = """\
--workers {workers} cannot serve the transport sse: its sessions live in one process.
  Serve --transport http alone, or start several servers on ports of their own behind nginx (docs/deploy.md)."""
