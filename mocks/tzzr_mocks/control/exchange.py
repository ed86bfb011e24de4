"""One request that a fake saw, and what it answered."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Body:
    """A body as the journal keeps it: redacted text, at most so many characters of it; size and digest of the whole."""

    text: str = ""
    size: int = 0
    truncated: bool = False
    sha256: str = ""

    def json(self) -> Any:
        """The body as a JSON value; None where it is not JSON or was cut."""
        try:
            return json.loads(self.text)
        except ValueError:
            return None


@dataclass(frozen=True)
class Reply:
    """What the fake answered; ``complete`` is false when the client went away or the reply broke off."""

    status: int
    headers: dict[str, str]
    body: Body
    complete: bool = True


@dataclass(frozen=True)
class Exchange:
    """One request and its reply, without secrets.

    ``at`` is seconds since the world began, ``duration`` seconds until the reply was complete, ``faults`` the
    sentences of those that acted on it. ``reply`` is None while it is under way, and when there never was one.
    """

    number: int
    service: str
    at: float
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: Body
    route: str | None = None
    module: str | None = None
    trace_id: str | None = None
    key: str | None = None
    endpoint: str | None = None
    attempt: int | None = None
    faults: tuple[str, ...] = ()
    reply: Reply | None = None
    duration: float | None = field(default=None)

    @property
    def status(self) -> int | None:
        """The reply's HTTP status; None without a reply."""
        return self.reply.status if self.reply else None

    def json(self) -> Any:
        """The request's body as a JSON value; None where it is not JSON or was cut."""
        return self.body.json()

    def line(self) -> str:
        """The exchange on one line."""
        module = f" {self.module}" if self.module else ""
        faults = "".join(f" [{sentence}]" for sentence in self.faults)
        return f"#{self.number} {self.service} {self.route or f'{self.method} {self.path}'}{module} → {self.status}{faults}"

    def as_json(self) -> dict[str, Any]:
        """The exchange as plain JSON values."""
        return asdict(self)
