"""A call as the server would make it, for tests of plugins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from tests.tzzr_mcp.services.worlds import TRACE_ID
from tzzr_mcp.plugins.api import Call, Listed, ResourceNotFound, ServiceStatus
from tzzr_mcp.seams import Deadline, Seams

C = TypeVar("C")


class Progressed:
    """Keeps what a call told of its progress."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def __call__(self, text: str, done: float, total: float | None) -> None:
        self.texts.append(text)


class FakeServer:
    """The server that a plugin sees: some resources, some services."""

    def __init__(self, texts: Mapping[Listed, str] | None = None, rows: Sequence[ServiceStatus] = ()) -> None:
        self._texts = dict(texts or {})
        self._rows = rows

    def resources(self) -> Sequence[Listed]:
        return list(self._texts)

    async def read(self, uri: str, call: Call[Any]) -> str:
        for listed, text in self._texts.items():
            if listed.uri == uri:
                return text
        raise ResourceNotFound(f"No existe el recurso {uri}.")

    async def services(self) -> Sequence[ServiceStatus]:
        return self._rows


def a_call(
    clients: C,
    seams: Seams,
    arguments: Mapping[str, Any],
    progress: Progressed | None = None,
    *,
    server: FakeServer | None = None,
    remote: bool = False,
) -> Call[C]:
    return Call(
        arguments=arguments,
        clients=clients,
        trace_id=TRACE_ID,
        deadline=Deadline.after(50, seams.clock),
        seams=seams,
        progress=progress or Progressed(),
        server=server or FakeServer(),
        remote=remote,
    )
