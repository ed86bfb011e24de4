"""How the items of a collection are described: reading, and for the admin writing."""

from __future__ import annotations

from typing import Final

from tzzr_mocks.hst.accounts import Account
from tzzr_mocks.hst.query.read import EXPORTS, META
from tzzr_mocks.hst.schemas import Collection, Field, FieldType
from tzzr_mocks.hst.specs.refusals import refused
from tzzr_mocks.openapi import ANYTHING, INTEGER, JSON, STRING, Json, answer, link, listed, named, parameter, record

_TYPES: Final[dict[FieldType, Json]] = {
    FieldType.INTEGER: INTEGER,
    FieldType.STRING: STRING,
    FieldType.TEXT: STRING,
    FieldType.BOOLEAN: {"type": "boolean"},
    FieldType.JSON: {},
    FieldType.TIMESTAMP: {"type": "string", "format": "timestamp"},
}
_QUERY: Final[dict[str, tuple[str, Json]]] = {
    "fields": ("Fields to answer, separated by commas; * is all that may be seen.", STRING),
    "filter": ("Conditions as JSON, or in bracket notation.", STRING),
    "search": ("A phrase to find in any text field, or a number in any integer field.", STRING),
    "sort": ("Sort keys, separated by commas; a dash before one sorts it downwards.", STRING),
    "limit": ("Rows at most; -1 is all, 0 is none.", {"type": "integer", "minimum": -1, "maximum": 2**53 - 1}),
    "offset": ("Rows to skip.", {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}),
    "page": (
        "The page to answer, from 1; it wins over the offset.",
        {"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
    ),
    "meta": ("Counts to answer.", {"type": "string", "enum": [*META, "*", ",".join(META)]}),
    "aggregate": ("Figures to answer instead of rows, such as count or sum.", STRING),
    "groupBy": ("Fields to group figures by.", STRING),
    "alias": ("Other names for fields.", STRING),
    "export": ("Answer as a file.", {"type": "string", "enum": [*EXPORTS]}),
    "version": ("The version of content; there are no others than the published one.", STRING),
}
PARAMETERS: Final = {name: parameter(name, "query", told, schema) for name, (told, schema) in _QUERY.items()}
"""The components that operations refer to."""
_FILES: Final = ("text/csv", "text/xml", "text/yaml")
_ROW: Final[Json] = {
    "type": "object",
    "description": "Columns by name, or figures; SQLite gives back whatever was written.",
}
_KEYS: Final = listed({"anyOf": [INTEGER, STRING]})
_CHOSEN: Final[dict[str, Json]] = {"keys": _KEYS, "query": {"type": "object"}}


def schema_name(collection: Collection) -> str:
    """What the schema of a collection's items is called."""
    return "Items" + "".join(part.title() for part in collection.name.split("_"))


def schema(collection: Collection, account: Account) -> Json:
    """An item, as far as the account may see it."""
    fields = [field for field in collection.fields if field.name in account.visible(collection)]
    return {
        "type": "object",
        "x-collection": collection.name,
        "properties": {field.name: _property(field) for field in fields},
        "required": [field.name for field in fields if field.required],
    }


def _property(field: Field) -> Json:
    return {"nullable": not (field.required or field.primary), **_TYPES[field.type]}


def paths(collection: Collection, account: Account) -> Json:
    """The paths of one collection."""
    name, path = schema_name(collection), f"/items/{collection.name}"
    found: Json = {
        path: {"get": _operation(f"read{name}", "List items", _shown(listed(_row(name))), every=True)},
        f"{path}/{{id}}": {"get": _operation(f"readSingle{name}", "Read an item", _shown(_row(name)), _ID, every=True)},
    }
    if account.admin:
        for ending, operations in _writes(name, collection).items():
            found[path + ending] |= operations
    return found


def _row(name: str) -> Json:
    return {"anyOf": [named(name), _ROW]}


_ID: Final = {**parameter("id", "path", "The item's key.", INTEGER), "example": 1}


def _writes(name: str, collection: Collection) -> Json:
    one = {**named(name)}
    changes = {"type": "object", "properties": {field.name: _property(field) for field in collection.fields}}
    made = _shown({"anyOf": [_row(name), listed(_row(name))]})
    made["200"]["links"] = _links(name)
    chosen = [record({which: kind}, closed=True) for which, kind in _CHOSEN.items()]
    several = [record({"data": changes, which: kind}, closed=True) for which, kind in _CHOSEN.items()]
    done = {"204": answer("Done.")}
    return {
        "": {
            "post": _operation(f"create{name}", "Create items", made, body={"anyOf": [one, listed(one)]}),
            "patch": _operation(
                f"update{name}", "Update items", _shown(listed(_row(name))), body=_either(several, changes)
            ),
            "delete": _operation(f"delete{name}", "Delete items", done, body={"anyOf": [_KEYS, *chosen]}),
        },
        "/{id}": {
            "patch": _operation(f"updateSingle{name}", "Update an item", _shown(_row(name)), _ID, body=changes),
            "delete": _operation(f"deleteSingle{name}", "Delete an item", done, _ID),
        },
    }


def _either(several: list[Json], changes: Json) -> Json:
    each = {**changes, "required": ["id"]}
    return {"anyOf": [*several, listed(each)]}


def _links(name: str) -> Json:
    followed = {"readSingle": "reads it", "updateSingle": "changes it", "deleteSingle": "deletes it"}
    return {
        f"{verb}{name}": link(f"{verb}{name}", told, id="$response.body#/data/id") for verb, told in followed.items()
    }


def _shown(data: Json) -> Json:
    """Rows in an envelope, or as a file; who may not read what was written gets nothing."""
    bare = (_ROW, listed(_ROW))  # export=json has no envelope
    whole = {"anyOf": [record({"data": data}, {"meta": {"type": "object"}}, closed=True), *bare]}
    files = {kind: {"schema": ANYTHING} for kind in _FILES}
    content = {JSON: {"schema": whole}, **files}
    return {
        "200": {"description": "What was asked for.", "content": content},
        "204": answer("Done, and not to be read."),
    }


def _operation(
    name: str, summary: str, answers: Json, *places: Json, every: bool = False, body: Json | None = None
) -> Json:
    """One operation; ``every``: it takes all parameters of a query."""
    shown = PARAMETERS if every else ("fields",)
    taken = {} if body is None else {"requestBody": {"required": True, "content": {JSON: {"schema": body}}}}
    return {
        "summary": summary,
        "operationId": name,
        "tags": ["Items"],
        "security": [{"Auth": []}, {"KeyAuth": []}],
        "parameters": [*places, *(named(parameter, "parameters") for parameter in shown)],
        **taken,
        "responses": {**answers, **refused(400, 500)},
    }
