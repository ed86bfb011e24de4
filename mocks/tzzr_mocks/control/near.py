"""Expectations about exchanges, and the near misses that a failed one shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from tzzr_mocks.control.exchange import Exchange
from tzzr_mocks.control.match import at_pointer

_SHOWN = 3


@dataclass(frozen=True)
class Wanted:
    """What an exchange must have; None says nothing.

    ``headers`` maps names to values; ``body`` maps JSON Pointers into the request's body to values; ``contains`` is
    text in it.
    """

    service: str | None = None
    route: str | None = None
    method: str | None = None
    path: str | None = None
    module: str | None = None
    trace_id: str | None = None
    key: str | None = None
    endpoint: str | None = None
    attempt: int | None = None
    status: int | None = None
    contains: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, exchange: Exchange) -> bool:
        """Whether nothing differs."""
        return not self.differences(exchange)

    def differences(self, exchange: Exchange) -> list[str]:
        """Each attribute that differs: ``module: wanted 'OCR_CORE', was 'HASHER'``."""
        return [f"{name}: wanted {want!r}, was {was!r}" for name, want, was in self._pairs(exchange) if want != was]

    def _pairs(self, exchange: Exchange) -> list[tuple[str, Any, Any]]:
        plain = [
            (part.name, getattr(self, part.name), getattr(exchange, part.name))
            for part in fields(self)
            if part.name not in ("headers", "body", "contains") and getattr(self, part.name) is not None
        ]
        headers = [
            (f"header {name}", value, exchange.headers.get(name.lower())) for name, value in self.headers.items()
        ]
        return [*plain, *headers, *self._body_pairs(exchange)]

    def _body_pairs(self, exchange: Exchange) -> list[tuple[str, Any, Any]]:
        document = exchange.json() if self.body else None
        pairs = [(f"body {pointer}", value, _found(document, pointer)) for pointer, value in self.body.items()]
        if self.contains is not None and self.contains not in exchange.body.text:
            pairs.append(("body", f"…{self.contains}…", exchange.body.text[:80]))
        return pairs

    def describe(self) -> str:
        """What is wanted, on one line."""
        given = {part.name: getattr(self, part.name) for part in fields(self)}
        route = given.pop("route") or "any request"
        return " ".join([route, *(f"{name}={value!r}" for name, value in given.items() if value not in (None, {}))])


def _found(document: Any, pointer: str) -> Any:
    try:
        return at_pointer(document, pointer)
    except LookupError:
        return None


def near_misses(wanted: Wanted, exchanges: Sequence[Exchange]) -> list[str]:
    """The exchanges that differ least, each with what differs; or a line that says there was none."""
    if not exchanges:
        return ["  no request arrived at all"]
    ranked = sorted(exchanges, key=lambda exchange: len(wanted.differences(exchange)))
    lines = ["  nearest:"]
    for exchange in ranked[:_SHOWN]:
        lines.append(f"    {exchange.line()}")
        lines += [f"      {difference}" for difference in wanted.differences(exchange) or ["this one fits"]]
    return lines
