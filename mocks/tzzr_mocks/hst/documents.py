"""What the server says of itself and of its collections: values recorded from a real one, filled in."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from importlib import resources
from typing import Any

from tzzr_mocks.hst.dialects import Dialect
from tzzr_mocks.hst.schemas import TAG_COLLECTIONS, Collection, Field, FieldType
from tzzr_mocks.hst.settings import HstSettings, RateLimit

Json = dict[str, Any]


@cache
def _recorded() -> Json:
    text = resources.files("tzzr_mocks.hst.recorded").joinpath("system.json").read_text(encoding="utf-8")
    found: Json = json.loads(text)
    return found


def document(name: str) -> Json:
    """One recorded document, a copy of its own."""
    return deepcopy(_recorded()[name])


def server_info(settings: HstSettings, *, known: bool) -> Json:
    """``/server/info``: a stranger sees the project alone."""
    if not known:
        return {"project": document("project"), "license": document("license_terms")}
    features = document("features")
    own = {
        "rateLimit": _limit(settings.rate_limit),
        "rateLimitGlobal": _limit(settings.rate_limit_global),
        "queryLimit": {"default": settings.default_limit, "max": settings.max_limit or -1},
    }
    order = ("autoSave", "files", "rateLimit", "rateLimitGlobal", "extensions", "queryLimit", "websocket", "version")
    first = {name: value for name, value in features.items() if name not in order}
    rest = {name: own.get(name, features.get(name)) for name in order}
    return {"project": document("project"), **first, **rest, "license": document("license_terms")}


def _limit(limit: RateLimit | None) -> Any:
    return {"points": limit.points, "duration": limit.duration} if limit else False


def health(dialect: Dialect) -> Json:
    """``/server/health`` for the admin; the times are as good as any."""
    database = {"status": "ok", "componentType": "datastore"}
    free = 1 if dialect.name == "sqlite" else 9
    client = dialect.client
    return {
        "status": "ok",
        "releaseId": document("features")["version"],
        "serviceId": "http://127.0.0.1:8055",
        "checks": {
            f"{client}:responseTime": [{**database, "observedUnit": "ms", "observedValue": 1, "threshold": 150}],
            f"{client}:connectionsAvailable": [{**database, "observedValue": free}],
            f"{client}:connectionsUsed": [{**database, "observedValue": 0}],
            "storage:local:responseTime": [
                {
                    "status": "ok",
                    "componentType": "objectstore",
                    "observedValue": 1,
                    "observedUnit": "ms",
                    "threshold": 750,
                }
            ],
        },
    }


_DECLARED = {
    FieldType.INTEGER: "integer",
    FieldType.STRING: "varchar(255)",
    FieldType.TEXT: "text",
    FieldType.BOOLEAN: "boolean",
    FieldType.JSON: "json",
    FieldType.TIMESTAMP: "datetime",
}


def collection_document(collection: Collection, dialect: Dialect) -> Json:
    """``/collections/{collection}``."""
    meta = {**document("collection"), "collection": collection.name}
    schema: Json = {"schema": "public", "name": collection.name, "comment": None}
    if dialect.name == "sqlite":
        columns = ", ".join(_declaration(field) for field in collection.fields)
        schema = {"name": collection.name, "sql": f"CREATE TABLE `{collection.name}` ({columns})"}
    return {"collection": collection.name, "meta": meta, "schema": schema}


def _declaration(field: Field) -> str:
    if field.primary:
        return f"`{field.name}` integer not null primary key autoincrement"
    return f"`{field.name}` {_DECLARED[field.type]} {'not null' if field.required else 'null'}"


def field_document(collection: Collection, field: Field, dialect: Dialect) -> Json:
    """``/fields/{collection}/{field}``."""
    place = collection.fields.index(field)
    before = next(index for index, other in enumerate(TAG_COLLECTIONS) if other.name == collection.name)
    dated = field.type is FieldType.TIMESTAMP
    special = [name for name in field.special if dialect.name == "sqlite" or name != "cast-timestamp"]
    meta = {
        **document("field"),
        "id": before * len(collection.fields) + place + 1,
        "collection": collection.name,
        "field": field.name,
        "special": special or None,
        "interface": field.interface,
        "readonly": dated,
        "sort": place + 1,
    }
    schema = dialect.describe(field, collection.name)
    return {"collection": collection.name, "field": field.name, "type": str(field.type), "meta": meta, "schema": schema}


def listed_field(collection: Collection, field: Field, dialect: Dialect) -> Json:
    """The same in the list of a collection's fields, where the column comes first."""
    whole = field_document(collection, field, dialect)
    return {name: whole[name] for name in ("collection", "field", "type", "schema", "meta")}
