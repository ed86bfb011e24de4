"""The application on one port: finds the world that a request is for, and its fake of the port's service."""

from __future__ import annotations

import re

from tzzr_mocks.control.asgi import ASGIApp, Receive, Scope, Send, answer_json
from tzzr_mocks.desk import DEFAULT, UnknownWorld, is_control
from tzzr_mocks.served.worlds import MARK, NAME, Worlds

WORLD_HEADER = b"x-tzzr-world"
_MARKED = re.compile(rf"{MARK}({NAME.pattern})$")
_IN_QUERY = re.compile(rf"(\baccess_token=[^&]*?)(?:{MARK}|%40)({NAME.pattern})(?=$|&)")


class Dispatch:
    """One service's port. ``control`` is the application of the control plane, the same on every port."""

    def __init__(self, service: str, worlds: Worlds, control: ASGIApp) -> None:
        self._service, self._worlds, self._control = service, worlds, control

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        if is_control(scope["path"]):
            await self._control(scope, receive, send)
            return
        name, cleaned = world_of(scope)
        try:
            world = self._worlds.named(name)
        except UnknownWorld as error:
            await answer_json(404, {"error": {"message": str(error)}})(scope, receive, send)
            return
        await world.fakes[self._service].app(cleaned, receive, send)


def world_of(scope: Scope) -> tuple[str, Scope]:
    """The name of the world that a request is for, and its scope without the mark in key and query.

    The header ``X-TZZR-World`` decides, else the name behind the key, in ``Authorization``, ``X-Api-Key`` or the query
    (``access_token``), else it is the default world.
    """
    headers = dict(scope["headers"])
    cleaned, marks = dict(scope), []
    for header in (b"authorization", b"x-api-key"):
        if header in headers and (found := _MARKED.search(headers[header].decode("latin-1"))):
            marks.append(found[1])
            headers[header] = headers[header][: found.start()]
    query = scope["query_string"].decode("latin-1")
    if found := _IN_QUERY.search(query):
        marks.append(found[2])
        cleaned["query_string"] = _IN_QUERY.sub(r"\1", query).encode("latin-1")
    if marks:
        cleaned["headers"] = [(name, headers.get(name, value)) for name, value in scope["headers"]]
    named = headers.get(WORLD_HEADER, b"").decode("latin-1")
    return named or (marks[0] if marks else DEFAULT), cleaned
