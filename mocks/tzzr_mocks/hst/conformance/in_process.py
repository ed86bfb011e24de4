"""Fires cases at the fake in one process: no socket, no client that would tidy the request up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

import httpx

from tzzr_mcp.seams import Seams
from tzzr_mocks.control import Control
from tzzr_mocks.control.asgi import ASGIApp, Message
from tzzr_mocks.hst import HstFake
from tzzr_mocks.hst.conformance.cases import Case
from tzzr_mocks.hst.conformance.compare import differences
from tzzr_mocks.hst.conformance.groups import GROUPS, WAITS
from tzzr_mocks.hst.conformance.slots import Slots
from tzzr_mocks.hst.conformance.verdict import Sent, Verdict
from tzzr_mocks.hst.settings import DialectName


@dataclass(frozen=True)
class InProcess:
    """A Directus behind no socket; ``base`` is what its lines for a shell name."""

    base: httpx.URL
    app: ASGIApp

    async def ask(self, case: Case, slots: Mapping[str, str]) -> Sent:
        """Send one case's request."""
        return await ask(self.app, case, slots)


async def ask(app: ASGIApp, case: Case, slots: Mapping[str, str]) -> Sent:
    """Send one case's request to an ASGI application, path and query byte for byte."""
    path, query = case.request["path"], case.query(slots)
    headers = {"host": "hst.test", "accept-encoding": "identity"} | case.headers(slots)
    scope: dict[str, Any] = {
        "type": "http",
        "method": case.request["method"],
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
    }
    started: dict[str, Any] = {}
    chunks: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": case.content(slots), "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            started.update(message)
        else:
            chunks.append(message.get("body", b""))

    await app(scope, receive, send)
    sent = {name.decode(): value.decode() for name, value in started["headers"]}
    return Sent(started["status"], sent, b"".join(chunks))


async def replay(
    cases: Iterable[Case], tokens: dict[str, str], seams: Seams, dialect: DialectName = "sqlite"
) -> list[Verdict]:
    """The verdict on every replayable case, each group on a fake of its own with that group's settings."""
    found: list[Verdict] = []
    for group, members in _grouped(cases):
        settings = replace(GROUPS[group], dialect=dialect)
        fake = HstFake(Control("hst", seams), settings=settings, starting="recorded")
        slots = Slots(tokens)
        for case in members:
            await seams.clock.sleep(WAITS.get(case.id, 0.0))
            sent = await ask(fake.app, case, slots)
            slots.learn(case, sent.headers, sent.content)
            found.append(Verdict(case, tuple(differences(case.response, sent))))
    return found


def _grouped(cases: Iterable[Case]) -> Iterator[tuple[str, list[Case]]]:
    groups: dict[str, list[Case]] = {}
    for case in cases:
        if case.replayable:
            groups.setdefault(case.group, []).append(case)
    yield from groups.items()
