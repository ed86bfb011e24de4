"""Puts the fake together: store, rules, routes, and the layers before them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tzzr_mocks.control import Control, Occasion, Surface
from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.hst import faults as _faults  # noqa: F401 - plans must know the kinds
from tzzr_mocks.hst import specs
from tzzr_mocks.hst.accounts import ADMIN, READER_TOKEN, Account
from tzzr_mocks.hst.auth import Tokens
from tzzr_mocks.hst.dialects import DIALECTS
from tzzr_mocks.hst.errors import Refusal
from tzzr_mocks.hst.items import Items
from tzzr_mocks.hst.reads import Reads
from tzzr_mocks.hst.routes import make_router
from tzzr_mocks.hst.seed import starting_rows
from tzzr_mocks.hst.server import Server
from tzzr_mocks.hst.settings import DialectName, HstSettings
from tzzr_mocks.hst.state import State
from tzzr_mocks.hst.store import Store
from tzzr_mocks.hst.writes import Writes
from tzzr_mocks.openapi import Json


class HstFake:
    """A Directus 12 with the three tag collections.

    ``starting`` names the rows it begins with (`tzzr_mocks.hst.seed.STARTING`).
    """

    def __init__(self, control: Control, *, settings: HstSettings | None = None, starting: str = "default") -> None:
        self.control = control
        self.settings = settings or HstSettings()
        self.starting = starting
        self._old: Items | None = None
        self.state = self._state()
        self.router = make_router(self.state, control.seams.clock, self._describe)
        self.server = Server(self.state, self.router, control.seams.clock)
        self.app: ASGIApp = control.wrap(self.server, self._surface())

    @property
    def environment(self) -> dict[str, str]:
        """The key that a client needs."""
        return {"HST_TOKEN": READER_TOKEN}

    def openapi(self) -> Json:
        """What this fake answers to its admin, as an OpenAPI document: ``/server/specs/oas``."""
        return self._describe(ADMIN)

    async def start(self) -> None:
        """Nothing runs in the background."""

    async def stop(self) -> None:
        """Nothing runs in the background."""

    def press(self, seconds: float) -> None:
        """Let the pressure limiter answer everything with 503 for some seconds of the world's clock."""
        self.server.press(seconds)

    def reset(self) -> None:
        """Back to the rows of the starting world; windows, kept answers and logins are forgotten."""
        self.state.store.copy(_template(self.settings.dialect, self.starting))
        self.state.tokens.clear()
        self.server.clear()
        self._old = None

    def snapshot(self) -> dict[str, Any]:
        """Rows, logins, windows and kept answers, for `restore`."""
        rows = Store(DIALECTS[self.settings.dialect]())
        rows.copy(self.state.store)
        return {"rows": rows, "tokens": self.state.tokens.snapshot(), "server": self.server.snapshot()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a snapshot. What it kept for a while, it keeps for as long as was left."""
        self.state.store.copy(state["rows"])
        self.state.tokens.restore(state["tokens"])
        self.server.restore(state["server"])
        self._old = None

    def _state(self) -> State:
        clock = self.control.seams.clock
        store = Store(DIALECTS[self.settings.dialect]())
        store.copy(_template(self.settings.dialect, self.starting))
        items = Items(store, clock.now)
        return State(
            settings=self.settings,
            store=store,
            items=items,
            reads=Reads(self.control, store, items, self._old_items),
            writes=Writes(store, items, clock.now),
            tokens=Tokens(clock.now, self.control.seams.dice.named("hst")),
            now=clock.now,
        )

    def _old_items(self) -> Items:
        """A reader of the starting rows, made when a stale read first needs one."""
        if self._old is None:
            self._old = Items(_template(self.settings.dialect, self.starting), self.control.seams.clock.now)
        return self._old

    def _describe(self, account: Account) -> Json:
        return specs.openapi(self.state.store.collections.values(), account, self.router.routes)

    def _surface(self) -> Surface:
        routes = tuple(f"{method} {route.path}" for route in self.router.routes for method in route.methods)
        modules = tuple(self.state.store.collections)
        return Surface(routes=routes, modules=modules, recognise=_recognise, error_body=_error_body)


@cache
def _template(dialect: DialectName, starting: str) -> Store:
    """A store that holds a starting world's rows; fakes copy it, since filling one takes longer. Nobody writes to it."""
    store = Store(DIALECTS[dialect]())
    store.fill(starting_rows(starting))
    return store


def _recognise(occasion: Occasion, parameters: Mapping[str, str]) -> Occasion:
    """A rule may match on a collection, as ``module``, and on an item's key."""
    return occasion._replace(module=parameters.get("collection"), key=parameters.get("key"))


def _error_body(status: int) -> object:
    return Refusal(status, "INTERNAL_SERVER_ERROR", "An unexpected error occurred.").body()
