"""Which occasions a rule is about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from tzzr_mocks.control.occasion import Occasion

_EQUAL = ("service", "module", "trace_id", "key", "endpoint", "method", "path", "attempt")
"""Attributes that an occasion must have with just this value."""


@dataclass(frozen=True)
class Match:
    """Every attribute that is given must hold; one that is None says nothing.

    ``route`` is ``POST /run``, or ``/run`` for every method. ``body`` maps JSON Pointers into the request's body to
    the values expected there, ``contains`` is text that stands anywhere in it. ``tool`` is the MCP tool whose module
    is addressed; a plan turns it into ``module`` when it is loaded.
    """

    service: str | None = None
    route: str | None = None
    module: str | None = None
    tool: str | None = None
    trace_id: str | None = None
    key: str | None = None
    endpoint: str | None = None
    method: str | None = None
    path: str | None = None
    attempt: int | None = None
    contains: str | None = None
    body: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, occasion: Occasion) -> bool:
        """Whether the occasion is one of those that the rule is about."""
        for name in _EQUAL:
            wanted = getattr(self, name)
            if wanted is not None and getattr(occasion, name) != wanted:
                return False
        return _route_fits(self.route, occasion.route) and self._body_fits(occasion.body or b"")

    def _body_fits(self, body: bytes) -> bool:
        if self.contains is not None and self.contains.encode() not in body:
            return False
        return not self.body or pointers_fit(self.body, body)

    def as_json(self) -> dict[str, Any]:
        """What is given, as plain JSON values."""
        given = {name.name: getattr(self, name.name) for name in fields(self)}
        return {name: value for name, value in given.items() if value not in (None, {})}


def _route_fits(wanted: str | None, label: str | None) -> bool:
    if wanted is None or label == wanted:
        return True
    return label is not None and wanted.startswith("/") and label.partition(" ")[2] == wanted


def pointers_fit(wanted: Mapping[str, Any], body: bytes) -> bool:
    """Whether ``body`` is JSON that has each value at its JSON Pointer (RFC 6901)."""
    try:
        document = json.loads(body)
        return all(at_pointer(document, pointer) == value for pointer, value in wanted.items())
    except (ValueError, LookupError, TypeError):
        return False


def at_pointer(document: Any, pointer: str) -> Any:
    """The value at a JSON Pointer.

    Raises:
        LookupError: nothing is there.
    """
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(document, Mapping):
            document = document[name]
        elif isinstance(document, list) and name.isdecimal():
            document = document[int(name)]
        else:
            raise LookupError(pointer)
    return document
