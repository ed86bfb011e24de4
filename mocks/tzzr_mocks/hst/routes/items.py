"""``/items``: HTTP in and out, no rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tzzr_mocks.hst.errors import Refusal, Unexpected, forbidden, forbidden_collection, invalid_payload
from tzzr_mocks.hst.exchange import Answer, Call, no_content, respond
from tzzr_mocks.hst.exports import export
from tzzr_mocks.hst.items import Found, Items
from tzzr_mocks.hst.query.model import Query
from tzzr_mocks.hst.query.read import read_query
from tzzr_mocks.hst.reads import Reads
from tzzr_mocks.hst.routes.router import Route
from tzzr_mocks.hst.settings import HstSettings
from tzzr_mocks.hst.state import State
from tzzr_mocks.hst.writes import Writes

_PLAIN_VERSIONS = (None, "main", "published")


class ItemRoutes:
    """The endpoints of items."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._items: Items = state.items
        self._reads: Reads = state.reads
        self._writes: Writes = state.writes
        self._settings: HstSettings = state.settings

    def routes(self) -> tuple[Route, ...]:
        """The table."""
        return (
            Route(
                "/items/{collection}",
                {
                    "POST": self.create,
                    "SEARCH": self.search,
                    "GET": self.list_items,
                    "PATCH": self.update_many,
                    "DELETE": self.delete_many,
                },
            ),
            Route("/items/{collection}/{key}", {"GET": self.read_item, "PATCH": self.update, "DELETE": self.delete}),
        )

    def _query(self, raw: Mapping[str, Any], collection: str) -> Query:
        settings = self._settings
        return read_query(raw, collection, default_limit=settings.default_limit, max_limit=settings.max_limit)

    async def list_items(self, call: Call) -> Answer:
        """``GET /items/{collection}``."""
        return await self._listed(call, self._query(call.query, call.parameters["collection"]))

    async def _listed(self, call: Call, query: Query) -> Answer:
        name = call.parameters["collection"]
        self._items.collection(name)
        if query.version not in _PLAIN_VERSIONS:
            return respond({"data": _versions(call)})
        return self._shown(name, query, await self._reads.page(call, query))

    def _shown(self, name: str, query: Query, found: Found) -> Answer:
        if query.export:
            return export(query.export, name, found.rows, self._state.now())
        return respond({"data": found.rows} if found.meta is None else {"meta": found.meta, "data": found.rows})

    async def search(self, call: Call) -> Answer:
        """``SEARCH /items/{collection}``: the query comes in the body."""
        body = _checked_search(call.body)
        name = call.parameters["collection"]
        query = self._query(body.get("query", call.query), name)
        if "keys" not in body:
            return await self._listed(call, query)
        self._items.collection(name)
        query = query if query.limit else replace(query, limit=-1)
        return self._shown(name, query, await self._reads.keys(call, query, body["keys"]))

    async def read_item(self, call: Call) -> Answer:
        """``GET /items/{collection}/{key}``."""
        name, query = call.parameters["collection"], self._query(call.query, call.parameters["collection"])
        self._items.collection(name)
        if query.version not in _PLAIN_VERSIONS:
            _versions(call)
            raise forbidden()
        row = await self._reads.one(call, replace(query, meta=()))
        return export(query.export, name, row, self._state.now()) if query.export else respond({"data": row})

    async def create(self, call: Call) -> Answer:
        """``POST /items/{collection}``: one row or a list of them; 200, not 201."""
        name = call.parameters["collection"]
        query = self._query(call.query, name)
        many = isinstance(call.body, list)
        keys = self._writes.create(name, call.body if many else [call.body], call.account)
        return self._written(call, query, keys, many=many)

    async def update(self, call: Call) -> Answer:
        """``PATCH /items/{collection}/{key}``."""
        name = call.parameters["collection"]
        query = self._query(call.query, name)
        values = call.body if isinstance(call.body, dict) else {}
        keys = self._writes.update(name, [call.parameters["key"]], values, call.account)
        return self._written(call, query, keys, many=False)

    async def update_many(self, call: Call) -> Answer:
        """``PATCH /items/{collection}``: by keys, by query, or each row with its own values."""
        name = call.parameters["collection"]
        query = self._query(call.query, name)
        if isinstance(call.body, list):
            keys = self._writes.update_each(name, call.body, call.account)
            return self._written(call, query, keys, many=True)
        body = checked_update(call.body)
        keys = body["keys"] if "keys" in body else self._keys(call, body)
        idle = not keys and ("query" in body or call.account.admin)
        done = [] if idle else self._writes.update(name, keys, body["data"], call.account)
        return self._written(call, query, done, many=True)

    async def delete(self, call: Call) -> Answer:
        """``DELETE /items/{collection}/{key}``."""
        self._writes.delete(call.parameters["collection"], [call.parameters["key"]], call.account)
        return no_content()

    async def delete_many(self, call: Call) -> Answer:
        """``DELETE /items/{collection}``: a list of keys, or keys or a query in an object."""
        body: dict[str, Any] = {"keys": call.body} if isinstance(call.body, list) else checked_delete(call.body)
        keys = body["keys"] if "keys" in body else self._keys(call, body)
        if not keys and "query" in body:
            return no_content()
        self._writes.delete(call.parameters["collection"], keys, call.account)
        return no_content()

    def _keys(self, call: Call, body: Mapping[str, Any]) -> list[Any]:
        name = call.parameters["collection"]
        query = self._query({"limit": -1, **(body.get("query") or {}), "fields": ["id"]}, name)
        return [row["id"] for row in self._items.read(name, query, call.account).rows]

    def _written(self, call: Call, query: Query, keys: list[Any], *, many: bool) -> Answer:
        """What was written, read again; an asker who may not read it gets an empty 204."""
        name = call.parameters["collection"]
        try:
            call.account.grant(name)
            rows = self._items.read_keys(name, keys, query, call.account).rows if keys else []
            if not rows and not many:
                raise forbidden()
        except Refusal as refusal:
            if refusal.code != "FORBIDDEN":
                raise
            return no_content()
        shown = rows if many else rows[0]
        return export(query.export, name, shown, self._state.now()) if query.export else respond({"data": shown})


def _versions(call: Call) -> list[Any]:
    if not call.account.admin:
        raise forbidden_collection("directus_versions")
    return []


def _checked_search(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise invalid_payload('"value" must be of type object')
    query = body.get("query")
    if query and isinstance(query, str | int | float):
        raise Unexpected("query is not an object")
    return _checked(body, ("query", "keys"))


def checked_update(body: Any) -> dict[str, Any]:
    """The body of a PATCH of several rows.

    Raises:
        Refusal: 400, what is missing or too much.
    """
    if "data" not in body:
        raise invalid_payload('"data" is required')
    if not isinstance(body["data"], dict):
        raise invalid_payload('"data" must be of type object')
    return _one_of(_checked(body, ("query", "keys", "data")))


def checked_delete(body: Any) -> dict[str, Any]:
    """The body of a DELETE of several rows.

    Raises:
        Refusal: 400, what is missing or too much.
    """
    return _one_of(_checked(body, ("query", "keys")))


def _one_of(body: dict[str, Any]) -> dict[str, Any]:
    if "query" not in body and "keys" not in body:
        raise invalid_payload('"value" must contain at least one of [query, keys]')
    if "query" in body and "keys" in body:
        raise invalid_payload('"value" contains a conflict between exclusive peers [query, keys]')
    return body


def _checked(body: dict[str, Any], allowed: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(body.get("query", {}), dict):
        raise invalid_payload('"query" must be of type object')
    if not isinstance(body.get("keys", []), list):
        raise invalid_payload('"keys" must be an array')
    for place, key in enumerate(body.get("keys", [])):
        if isinstance(key, bool) or not isinstance(key, str | int | float):
            raise invalid_payload(f'"keys[{place}]" must be one of [string, number]')
    for key in body:
        if key not in allowed:
            raise invalid_payload(f'"{key}" is not allowed')
    return body
