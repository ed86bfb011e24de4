"""``/server/specs/oas``: an OpenAPI description of what the asker may do, in the fake's own words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from tzzr_mocks.hst.accounts import Account
from tzzr_mocks.hst.schemas import Collection, Field, FieldType

Json = dict[str, Any]

_TYPES: dict[FieldType, Json] = {
    FieldType.INTEGER: {"type": "integer"},
    FieldType.STRING: {"type": "string"},
    FieldType.TEXT: {"type": "string"},
    FieldType.BOOLEAN: {"type": "boolean"},
    FieldType.JSON: {},
    FieldType.TIMESTAMP: {"type": "string", "format": "timestamp"},
}
_PARAMETERS = {
    "fields": "Fields to answer, separated by commas; * is all that may be seen.",
    "filter": "Conditions as JSON, or in bracket notation.",
    "search": "A phrase to find in any text field, or a number in any integer field.",
    "sort": "Sort keys, separated by commas; a dash before one sorts it downwards.",
    "limit": "Rows at most; -1 is all, 0 is none.",
    "offset": "Rows to skip.",
    "page": "The page to answer, from 1; it wins over the offset.",
    "meta": "Counts to answer: total_count, filter_count, or *.",
    "aggregate": "Figures to answer instead of rows, such as count or sum.",
    "groupBy": "Fields to group figures by.",
    "alias": "Other names for fields.",
    "export": "Answer as a file: csv, csv_utf8, json, xml or yaml.",
}
_SYSTEM = {
    "/server/ping": ("get", "Ping", "Tells that the server is there."),
    "/server/info": ("get", "Information", "Tells what the server is."),
    "/auth/login": ("post", "Log in", "Exchanges address and password for tokens."),
    "/auth/refresh": ("post", "Refresh", "Exchanges a refresh token for new tokens."),
    "/auth/logout": ("post", "Log out", "Lets a refresh token be good for nothing."),
}
_WRITES = {
    "": {"post": ("create", "Create items"), "patch": ("update", "Update items"), "delete": ("delete", "Delete items")},
    "/{id}": {"patch": ("update", "Update an item"), "delete": ("delete", "Delete an item")},
}


def openapi(collections: Iterable[Collection], account: Account) -> Json:
    """The description for one asker: the collections that may be read, and, for the admin, how to write."""
    seen = [one for one in collections if account.admin or one.name in account.grants]
    paths: Json = {path: {method: _plain(*words)} for path, (method, *words) in _SYSTEM.items()}
    for collection in seen:
        paths |= _collection_paths(collection, account)
    components = {
        "schemas": {_schema_name(one): _schema(one, account) for one in seen},
        "parameters": {name: _parameter(name, told) for name, told in _PARAMETERS.items()},
        "securitySchemes": {
            "Auth": {"type": "http", "scheme": "bearer"},
            "KeyAuth": {"type": "apiKey", "in": "query", "name": "access_token"},
        },
    }
    digest = hashlib.sha1(json.dumps([paths, components]).encode(), usedforsecurity=False).hexdigest()
    return {
        "openapi": "3.0.1",
        "info": {"title": "HST", "description": "What you may ask of this fake of Directus.", "version": digest},
        "servers": [{"url": "/", "description": "This server."}],
        "paths": paths,
        "tags": [{"name": "Items"}, *({"name": _schema_name(one)} for one in seen)],
        "components": components,
    }


def _plain(summary: str, description: str) -> Json:
    return {"summary": summary, "description": description, "responses": {"200": {"description": "Done."}}}


def _schema_name(collection: Collection) -> str:
    return "Items" + "".join(part.title() for part in collection.name.split("_"))


def _collection_paths(collection: Collection, account: Account) -> Json:
    name, path = _schema_name(collection), f"/items/{collection.name}"
    one: Json = {"$ref": f"#/components/schemas/{name}"}
    every = [{"$ref": f"#/components/parameters/{parameter}"} for parameter in _PARAMETERS]
    key = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    found: Json = {
        path: {"get": _operation(f"read{name}", "List items", {"type": "array", "items": one}, every)},
        f"{path}/{{id}}": {"get": _operation(f"readSingle{name}", "Read an item", one, [key, every[0]])},
    }
    for ending, methods in _WRITES.items() if account.admin else ():
        for method, (verb, summary) in methods.items():
            operation = verb + ("Single" if ending else "") + name
            found[path + ending][method] = _operation(operation, summary, one, [key] if ending else [])
    return found


def _operation(name: str, summary: str, data: Json, parameters: list[Json]) -> Json:
    content = {"application/json": {"schema": {"type": "object", "properties": {"data": data}}}}
    return {
        "summary": summary,
        "operationId": name,
        "tags": ["Items"],
        "security": [{"Auth": []}],
        "parameters": parameters,
        "responses": {
            "200": {"description": "What was asked for.", "content": content},
            "401": {"description": "The token opens nothing."},
            "403": {"description": "It does not exist, or may not be used."},
        },
    }


def _parameter(name: str, told: str) -> Json:
    return {"name": name, "in": "query", "description": told, "required": False, "schema": {"type": "string"}}


def _schema(collection: Collection, account: Account) -> Json:
    fields = [field for field in collection.fields if field.name in account.visible(collection)]
    return {
        "type": "object",
        "x-collection": collection.name,
        "properties": {field.name: _property(field) for field in fields},
        "required": [field.name for field in fields if field.required],
    }


def _property(field: Field) -> Json:
    return {"nullable": not (field.required or field.primary), **_TYPES[field.type]}
