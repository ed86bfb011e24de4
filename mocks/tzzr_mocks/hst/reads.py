"""Reads as the routes do them: through the fault plan, which may make them old, short, doubled or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tzzr_mocks.control import Control, Occasion, Point
from tzzr_mocks.control.surface import TRACE_HEADER
from tzzr_mocks.hst.accounts import Account
from tzzr_mocks.hst.errors import forbidden
from tzzr_mocks.hst.exchange import Call
from tzzr_mocks.hst.faults.base import Reading, RowsFault
from tzzr_mocks.hst.items import Found, Items
from tzzr_mocks.hst.query.model import Query
from tzzr_mocks.hst.store import Store

Read = Callable[[Items, Query, Account], Found]


class Reads:
    """The reads of one fake. ``before_changes`` makes a reader of the starting rows, for stale reads."""

    def __init__(self, control: Control, store: Store, items: Items, before_changes: Callable[[], Items]) -> None:
        self._control = control
        self._store = store
        self._items = items
        self._before_changes = before_changes

    async def page(self, call: Call, query: Query) -> Found:
        """Rows, groups and counts.

        Raises:
            Refusal: as `Items.read`, or a fault's.
        """
        name = call.parameters["collection"]
        return await self._read(call, query, lambda items, asked, account: items.read(name, asked, account))

    async def keys(self, call: Call, query: Query, keys: list[Any]) -> Found:
        """The rows with these keys.

        Raises:
            Refusal: as `Items.read_keys`, or a fault's.
        """
        name = call.parameters["collection"]
        return await self._read(call, query, lambda items, asked, account: items.read_keys(name, keys, asked, account))

    async def one(self, call: Call, query: Query) -> Any:
        """The row whose key is in the path.

        Raises:
            Refusal: as `Items.read_one`, or a fault's.
        """
        found = await self.keys(call, query, [call.parameters["key"]])
        if not found.rows:
            raise forbidden()
        return found.rows[0]

    async def _read(self, call: Call, query: Query, read: Read) -> Found:
        faults = self._faults(call)
        name = call.parameters["collection"]
        self._items.collection(name)
        for fault in faults:
            await fault.before(Reading(name, self._store, self._control.seams.clock))
        for fault in faults:
            query = fault.asked(query)
        stale = any(fault.stale() for fault in faults)
        found = read(self._before_changes() if stale else self._items, query, call.account)
        for fault in faults:
            found = fault.found(found)
        return found

    def _faults(self, call: Call) -> list[RowsFault]:
        collection, key = call.parameters["collection"], call.parameters.get("key")
        route = f"{call.method} /items/{{collection}}" + ("" if key is None else "/{key}")
        occasion = Occasion(
            Point.ROWS,
            self._control.service,
            method=call.method,
            path=call.path,
            route=route,
            module=collection,
            trace_id=call.headers.get(TRACE_HEADER.decode()),
            key=key,
        )
        return [fault for fault in self._control.plan.fired(occasion) if isinstance(fault, RowsFault)]
