"""Bearer tokens with names, read anew when their file changes: rotation without a restart."""

from __future__ import annotations

import hmac
import logging
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from mcp.server.auth.provider import AccessToken

from tzzr_mcp.settings import StartError

log = logging.getLogger(__name__)

DEFAULT_NAME = "default"
"""The name of the token of ``TZZR_HTTP_TOKEN``."""

Stamp = tuple[int, int, int]


class Tokens:
    """Who may come in: the token of the environment and those of a file. A `TokenVerifier` of the SDK.

    The file has one ``name token`` a line; blank lines and lines that begin with ``#`` count for nothing. The same
    name may stand twice, which is how a token is replaced: both are accepted until the old line is removed.
    """

    def __init__(self, token: str | None, path: str | None = None) -> None:
        """Read the file.

        Raises:
            StartError: it cannot be read, a line is wrong, or there is no token at all.
        """
        self._own = {_digest(token): DEFAULT_NAME} if token else {}
        self._path = Path(path) if path else None
        self._stamp = _stamp(self._path)
        try:
            self._known = self._read()
        except (OSError, ValueError) as error:
            raise StartError(f"TZZR_HTTP_TOKENS_FILE is {path!r}: {error}\n  {_FORM}") from error
        if not self._known:
            raise StartError(f"TZZR_HTTP_TOKENS_FILE is {path!r}: no token in it, so nobody could come in\n  {_FORM}")

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who holds this token; None when nobody does."""
        name = self.holder(token)
        return None if name is None else AccessToken(token=token, client_id=name, scopes=[])

    def holder(self, token: str) -> str | None:
        """The token's name. Compares with all that are known, each in constant time."""
        self._refresh()
        given, found = _digest(token), None
        for digest, name in self._known.items():
            if hmac.compare_digest(digest, given):
                found = name
        return found

    def _refresh(self) -> None:
        stamp = _stamp(self._path)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._known = self._read()
        except (OSError, ValueError) as error:
            # An editor or a mount may be half way; the next change is read again.
            log.error("the tokens file %s is wrong, the former tokens stay in force: %s", self._path, error)
        else:
            log.info(
                "the tokens file has changed: tokens of %s", ", ".join(sorted(set(self._known.values()))) or "nobody"
            )

    def _read(self) -> Mapping[bytes, str]:
        return {**self._own, **(_parsed(self._path.read_text("utf-8")) if self._path else {})}


def _parsed(text: str) -> dict[bytes, str]:
    known: dict[bytes, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) != 2:
            raise ValueError(f"line {number} has {len(parts)} words instead of a name and a token")
        known[_digest(parts[1])] = parts[0]
    return known


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="surrogateescape")).digest()


def _stamp(path: Path | None) -> Stamp | None:
    """What tells that the file is another one, or has been written to."""
    if path is None:
        return None
    try:
        told = os.stat(path)
    except OSError:
        return None
    return told.st_mtime_ns, told.st_size, told.st_ino


_FORM = "Write one 'name token' a line, for example: laptop 4f7c…"
