"""Which function answers which path, by Express' rules: case does not count, one trailing slash is taken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote_to_bytes

from tzzr_mocks.hst.errors import Unexpected, route_not_found
from tzzr_mocks.hst.exchange import HTML_TYPE, Answer, Call, plain_text

Endpoint = Callable[[Call], Awaitable[Answer]]


@dataclass(frozen=True)
class Route:
    """A path with ``{parameters}`` and the function for each method, in the order in which OPTIONS lists them."""

    path: str
    methods: dict[str, Endpoint]

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The path's parts."""
        return tuple(self.path.split("/")[1:])

    def allow(self) -> str:
        """The value of ``Allow``: HEAD comes with GET."""
        return ",".join(f"{method},HEAD" if method == "GET" else method for method in self.methods)


class Router:
    """A table of routes."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._by_length: dict[int, list[Route]] = {}
        self.routes = tuple(routes)
        for route in self.routes:
            self._by_length.setdefault(len(route.segments), []).append(route)

    async def answer(self, call: Call) -> Answer:
        """Call the endpoint.

        Raises:
            Refusal: 404 when no route has this path and method; what the endpoint refuses.
        """
        given = _split(call.path)
        for route in self._by_length.get(len(given), ()):
            parameters = _match(route, given)
            if parameters is None:
                continue
            if call.method == "OPTIONS":
                return plain_text(route.allow(), HTML_TYPE, allow=route.allow())
            endpoint = route.methods.get("GET" if call.method == "HEAD" else call.method)
            if endpoint is not None:
                call.parameters = {name: _decoded(value) for name, value in parameters.items()}
                return await endpoint(call)
        raise route_not_found(call.path)


def _split(path: str) -> list[str]:
    parts = path.split("/")[1:]
    if len(parts) > 2 and not parts[1]:
        del parts[1]
    return parts[:-1] if len(parts) > 1 and not parts[-1] else parts


def _match(route: Route, given: Sequence[str]) -> dict[str, str] | None:
    parameters: dict[str, str] = {}
    for expected, segment in zip(route.segments, given, strict=True):
        if expected.startswith("{") and segment:
            parameters[expected[1:-1]] = segment
        elif expected.casefold() != segment.casefold():
            return None
    return parameters


def _decoded(segment: str) -> str:
    try:
        return unquote_to_bytes(segment).decode()
    except UnicodeDecodeError:
        raise Unexpected(f"Failed to decode param '{segment}'") from None
