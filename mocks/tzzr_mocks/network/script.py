"""What happens to one connection: the script that a wire fault writes, and link and server's end act out."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

End = Literal["reset", "close", "hang"]
"""RST, FIN, or silence."""


@dataclass(frozen=True)
class Break:
    """The reply stops: ``after`` bytes of its head, or of its body."""

    end: End
    part: Literal["head", "body"] = "head"
    after: int = 0


@dataclass(frozen=True)
class Drip:
    """The reply comes ``size`` bytes at a time, ``seconds`` apart."""

    size: int
    seconds: float


@dataclass(frozen=True)
class Script:
    """One connection's fate. Nothing given: it works.

    ``connect`` and ``tls`` are what the client meets before it can send, ``pool`` that it finds no free connection;
    the others are what becomes of the reply. ``raw`` are bytes sent in the reply's place.
    """

    connect: Literal["refused", "dns", "hang"] | None = None
    tls: Literal["verify", "plain", "eof", "reset", "hang"] | None = None
    pool: bool = False
    broken: Break | None = None
    drip: Drip | None = None
    raw: bytes | None = None

    @property
    def needs_client(self) -> bool:
        """Whether the client's side must play along, because no server can cause it."""
        return bool(self.connect or self.tls or self.pool)

    def joined(self, other: Script) -> Script:
        """Both scripts in one; where both say something, ``other`` counts."""
        parts = {part.name: getattr(other, part.name) or getattr(self, part.name) for part in fields(self)}
        return Script(**parts)
