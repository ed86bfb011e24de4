"""One request to one endpoint, let in or turned away: key, endpoint, rate (runpod.md §3, §4, §10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from starlette.requests import Request

from tzzr_mocks.grace.errors import NotFound, TooMany, Unauthorized
from tzzr_mocks.grace.limits import Meter
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.store import Endpoint

Keys = Mapping[str, Iterable[str] | None]
"""API key to the endpoints that it may call; None: all of them."""


SHARED: Final[Mapping[str, str]] = MappingProxyType({"status-sync": "status"})
"""Operations that count as another one at the limits."""


@dataclass(frozen=True)
class Call:
    """A request that was let in."""

    request: Request
    endpoint: Endpoint
    operation: str

    @property
    def job_id(self) -> str:
        """The job that the path names."""
        return str(self.request.path_params["job_id"])

    def query(self, name: str) -> str | None:
        """A parameter of the query, None when it is not given."""
        return self.request.query_params.get(name)


class Gate:
    """Lets requests in."""

    def __init__(self, options: Options, keys: Keys, endpoints: Mapping[str, Endpoint], meter: Meter) -> None:
        self._options = options
        self._keys = keys
        self._endpoints = endpoints
        self._meter = meter

    @contextmanager
    def open(self, request: Request, operation: str) -> Iterator[Call]:
        """The call, counted while it lasts. Raises `Unauthorized`, `NotFound` or `TooMany`."""
        name = str(request.path_params["endpoint_id"])
        key = bearer(request.headers.get("authorization"))
        if self._options.auth_first:
            self._check_key(key, name)
        endpoint = self._endpoints.get(name)
        if endpoint is None:
            raise NotFound("endpoint", self._options.not_found)
        self._check_key(key, name)
        who = (key, name, SHARED.get(operation, operation))
        if not self._meter.enter(who, at_least=endpoint.crew.capacity):
            raise TooMany(self._options.retry_after_s)
        try:
            yield Call(request, endpoint, operation)
        finally:
            self._meter.leave(who)

    def _check_key(self, key: str, endpoint: str) -> None:
        allowed = self._keys.get(key, ())
        if allowed is not None and (endpoint in self._endpoints or not allowed) and endpoint not in allowed:
            raise Unauthorized(self._options.unauthorized, given=bool(key))


def bearer(header: str | None) -> str:
    """The key of an ``Authorization`` header, with or without ``Bearer``; empty when there is none."""
    text = (header or "").strip()
    scheme, _, rest = text.partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else text
