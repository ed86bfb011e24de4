"""What the server of this package answers to every message of the kit, asked once; and wires that replay it wrongly."""

from __future__ import annotations

import copy
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from tzzr_mocks.network.direct import DirectTransport
from tzzr_scenarios.commands.conform_mcp import over_http
from tzzr_scenarios.conform.mcp import BOOK
from tzzr_scenarios.conform.mcp.open import ERAS, in_eras
from tzzr_scenarios.conform.mcp.wire import Heard, Json, Wire
from tzzr_scenarios.conform.verdict import Verdict
from tzzr_scenarios.stage import staged

Mark = tuple[str, str]
Tape = dict[Mark, Heard]
_TAPE: Tape = {}


@dataclass(frozen=True)
class Mistake:
    """A server that is right but for one thing, and the rule that it breaks.

    ``told`` changes a response in place, given the message that was sent; ``heard`` the whole of what came back.
    """

    rule: str
    told: Callable[[Json, Json], object] | None = None
    heard: Callable[[Mapping[str, str], Heard], Heard] | None = None

    def made(self, content: str, headers: Mapping[str, str], right: Heard) -> Heard:
        """What the server with the mistake says."""
        wrong = copy.deepcopy(right)
        if self.told is not None and wrong.message is not None:
            self.told(_message(content), wrong.message)
        return self.heard(headers, wrong) if self.heard else wrong


def _message(content: str) -> Json:
    try:
        message = json.loads(content)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


RIGHT: Final = Mistake("")


def _mark(content: str, headers: Mapping[str, str]) -> Mark:
    """What a message asks: its number aside, which depends on how many went before."""
    asked = {name: part for name, part in _message(content).items() if name != "id"}
    return json.dumps(asked) if asked else content, json.dumps(dict(headers), sort_keys=True)


def _numbered(content: str, kept: Heard) -> Heard:
    """What was heard, as the response to this message."""
    if kept.message is None or kept.message.get("id") is None:
        return kept
    return replace(kept, message={**kept.message, "id": _message(content).get("id")})


@dataclass
class _Recording:
    """A wire that keeps what it hears."""

    wire: Wire
    kind: str = "http"

    @property
    def session(self) -> str | None:
        return self.wire.session

    @session.setter
    def session(self, name: str | None) -> None:
        self.wire.session = name

    async def send(self, content: str, headers: Mapping[str, str], *, waits: bool = True) -> Heard:
        _TAPE[_mark(content, headers)] = heard = await self.wire.send(content, headers, waits=waits)
        return heard


@dataclass
class _Replaying:
    """A wire on which a server with a mistake is."""

    mistake: Mistake
    kind: str = "http"
    session: str | None = None

    async def send(self, content: str, headers: Mapping[str, str], *, waits: bool = True) -> Heard:
        return self.mistake.made(content, headers, _numbered(content, _TAPE[_mark(content, headers)]))


async def right() -> list[Verdict]:
    """The verdicts on the server of this package, in both eras; what it says is on the tape from then on."""
    async with staged() as stage, stage.app() as app:
        reach = over_http("http://127.0.0.1:8000/mcp", lambda: DirectTransport(app))

        @asynccontextmanager
        async def recorded() -> AsyncIterator[Wire]:
            async with reach() as wire:
                yield _Recording(wire)

        return [verdict async for verdict in in_eras(recorded, [*BOOK], ERAS)]


async def wrong(mistake: Mistake) -> set[str]:
    """The rules that a server with a mistake breaks, in one era or the other."""
    if not _TAPE:
        await right()

    @asynccontextmanager
    async def replayed() -> AsyncIterator[Wire]:
        yield _Replaying(mistake)

    judged = [verdict async for verdict in in_eras(replayed, [*BOOK], ERAS)]
    return {verdict.rule for verdict in judged if verdict.outcome == "failed"}


def with_status(status: int, when: Callable[[Mapping[str, str]], Any]) -> Callable[[Mapping[str, str], Heard], Heard]:
    """Another HTTP status for some requests."""
    return lambda headers, heard: replace(heard, status=status) if when(headers) else heard
