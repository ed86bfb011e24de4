"""What is fuzzed: each API, the world that serves it, and where upstream itself is not what a check demands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import httpx

from tests.fuzz.bridge import Serve, Served
from tests.fuzz.engine import CHECKS
from tests.tzzr_mcp.gateway.chatting import a_chat
from tzzr_mcp.gateway.api import Access, create_app
from tzzr_mocks.desk import Alone, control_app
from tzzr_mocks.hst.accounts import ADMIN, STATIC_TOKENS
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.world import World

POSITIVE: Final = "positive_data_acceptance"
NEGATIVE: Final = "negative_data_rejection"


@dataclass(frozen=True)
class Unfit:
    """A check that is not made of an operation, and why. ``path`` is a regular expression; without one, of none at all.

    ``statuses`` are let through by the check instead.
    """

    check: str
    why: str
    path: str = ""
    methods: Sequence[str] = ()
    statuses: Sequence[str] = ()

    def settings(self) -> dict[str, Any]:
        """schemathesis' settings for it."""
        made = {"expected-statuses": list(self.statuses)} if self.statuses else {"enabled": False}
        where = {"include-path-regex": self.path or "."} | ({"include-method": [*self.methods]} if self.methods else {})
        return {**where, "checks": {self.check: made}}


@dataclass(frozen=True)
class Target:
    """One API. ``skipped`` maps paths that are not asked, as regular expressions, to why.

    ``repeated`` are paths that the same code serves as others; they are asked in a deep run alone.
    """

    serve: Serve
    unfit: Sequence[Unfit] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    repeated: str = ""

    def settings(self, *, deep: bool = False) -> dict[str, Any]:
        """schemathesis' settings for it."""
        on = {name: {"enabled": True} for name in CHECKS}
        paths = [*self.skipped, *([self.repeated] if self.repeated and not deep else [])]
        left_out = [{"include-path-regex": path, "enabled": False} for path in paths]
        return {
            "checks": {"enabled": False, **on},
            "operations": [*left_out, *(one.settings() for one in self.unfit)],
            "parameters": dict(self.parameters),
        }


@asynccontextmanager
async def a_fake(service: str, headers: Mapping[str, str]) -> AsyncIterator[Served]:
    """One fake of a world."""
    async with World() as world:
        fake = world.fakes[service]
        yield Served(fake.app, fake.openapi(), {name: value.format(**world.keys) for name, value in headers.items()})


@asynccontextmanager
async def the_desk() -> AsyncIterator[Served]:
    """The control plane of a world."""
    async with World() as world:
        app = control_app(Alone(world, world.environment))
        yield Served(app, await _described(app, "/__tzzr/openapi.json"))


@asynccontextmanager
async def the_gateway() -> AsyncIterator[Served]:
    """The chat gateway between the whole server and a world's model."""
    async with a_chat(None, plugins="system,grace,hst,context,finance") as chat:
        app = create_app(chat.gateway, Access(token="a-token-of-the-gateway"))
        headers = {"Authorization": "Bearer a-token-of-the-gateway"}
        yield Served(app, await _described(app, "/api/openapi.json", headers), headers)


async def _described(app: Any, path: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    async with httpx.AsyncClient(transport=DirectTransport(app), base_url="http://localhost") as client:
        document: dict[str, Any] = (await client.get(path, headers=headers)).raise_for_status().json()
    return document


_ADMIN: Final = next(token for token, account in STATIC_TOKENS.items() if account is ADMIN)

TARGETS: Final[Mapping[str, Target]] = {
    "grace": Target(
        partial(a_fake, "grace", {"Authorization": "Bearer {RUNPOD_API_KEY}"}),
        [Unfit(POSITIVE, "only a job that has failed can be queued again; the others are refused with 400", "/retry/")],
        parameters={"path.endpoint_id": "grace"},
    ),
    "hst": Target(
        partial(a_fake, "hst", {"Authorization": f"Bearer {_ADMIN}"}),
        [
            Unfit(
                "not_a_server_error",
                "Directus answers 500 where it stumbles over a value that it did not look at, as recorded, and the fake 501 "
                "to what it does not cover; a failure of the fake's own is found by never_fails_by_itself",
                statuses=["2xx", "3xx", "4xx", "500", "501"],
            ),
            Unfit(POSITIVE, "a filter, a sort key or a function is a text with a grammar, and a ref must be free", "^/items/"),
            Unfit(POSITIVE, "a refresh token may come in a cookie as well, which no schema of a body can say", "^/auth/"),
            Unfit(NEGATIVE, "Directus stores what it is given, and looks at few types", "^/items/", ("POST", "PATCH", "DELETE")),
        ],
        repeated="^/items/tags_(spe|flg)",
    ),
    "context": Target(partial(a_fake, "context", {"Authorization": "Bearer {CONTEXT_TOKEN}"})),
    "llm": Target(
        partial(a_fake, "llm", {"Authorization": "Bearer {TZZR_MODEL_API_KEY}"}),
        [
            Unfit(
                POSITIVE,
                "each call of a tool must be answered in the next message, and tool_choice must name a tool: no schema says so",
                "^/v1/(chat|messages)",
            ),
            Unfit(NEGATIVE, "of a content's blocks the fake looks at those it plays, and leaves the others out", "^/v1/messages"),
        ],
    ),
    "desk": Target(
        the_desk,
        [Unfit(POSITIVE, "a rule, a script and the name of a world have a grammar of their own", "^/(faults|model|worlds|reset)$")],
        skipped={"^/events$": "it never ends"},
    ),
    "gateway": Target(the_gateway, [Unfit(POSITIVE, "a conversation ends with a question, and each call has its result", "^/api/chat$")]),
}  # fmt: skip
"""Every API, by name."""
