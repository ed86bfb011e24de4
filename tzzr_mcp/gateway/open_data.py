"""The server's resources, for a person who wants to go on alone (seed 1): listed, read, and made into files.

A file says on top where it comes from and when it was fetched.
"""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mcp import Client, MCPError
from mcp import types as t
from pydantic import BaseModel

from tzzr_mcp.gateway.failures import NotThere, ServerLost
from tzzr_mcp.gateway.link import Link

PAGES = 100
"""A server that still has further pages then has a mistake."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


class Resource(BaseModel):
    """One resource; a template's ``uri`` holds its variables in braces."""

    uri: str
    name: str
    title: str
    mime: str | None = None
    description: str | None = None
    template: bool = False


@dataclass(frozen=True)
class Content:
    """What a resource holds: text, or bytes."""

    uri: str
    mime: str | None
    body: str | bytes


class NoTable(ValueError):
    """The resource is no table."""


async def listed(link: Link) -> list[Resource]:
    """Every resource, then every template, in the server's order.

    Raises:
        ServerLost: the server cannot be reached, or does not list them.
    """
    try:
        resources = await link.ask(lambda client: _all(client.list_resources, "resources"), again=True)
        templates = await link.ask(
            lambda client: _all(client.list_resource_templates, "resource_templates"), again=True
        )
    except MCPError as error:
        raise ServerLost from error
    return [
        *(_resource(each, str(each.uri), template=False) for each in resources),
        *(_resource(each, each.uri_template, template=True) for each in templates),
    ]


async def read(link: Link, uri: str) -> Content:
    """One resource.

    Raises:
        NotThere: the server does not give it.
    """

    async def asked(client: Client) -> t.ReadResourceResult:
        return await client.read_resource(uri)

    try:
        result = await link.ask(asked, again=True)
    except MCPError as error:
        raise NotThere(uri) from error
    if not result.contents:
        raise NotThere(uri)
    return _content(uri, result.contents[0])


def as_json(content: Content, now: datetime) -> str:
    """The content below its source: ``source`` and ``data``."""
    try:
        data = json.loads(content.body)
    except ValueError:
        data = content.body.decode("utf-8", "replace") if isinstance(content.body, bytes) else content.body
    source = {"name": content.uri, "kind": "dataset", "retrieved_at": now.isoformat(timespec="seconds")}
    return json.dumps({"source": source, "data": data}, ensure_ascii=False, indent=2)


def as_csv(content: Content, now: datetime) -> str:
    """The content as comma-separated values, below two lines that begin with ``#``.

    Raises:
        NoTable: it is not JSON, or holds no list of objects.
    """
    columns, rows = _tabular(content)
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow([f"# fuente: {content.uri}"])
    write.writerow([f"# descargado: {now.isoformat(timespec='seconds')}"])
    write.writerow([safe(column) for column in columns])
    write.writerows([[safe(row.get(column)) for column in columns] for row in rows])
    return out.getvalue()


def safe(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula; what is nested as JSON."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _tabular(content: Content) -> tuple[list[str], Sequence[Mapping[str, Any]]]:
    try:
        data = json.loads(content.body)
    except ValueError:
        raise NoTable from None
    lists = [data] if isinstance(data, list) else list(data.values()) if isinstance(data, dict) else []
    rows = next((each for each in lists if _is_rows(each)), None)
    if rows is None:
        raise NoTable
    return list(dict.fromkeys(column for row in rows for column in row)), rows


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


async def _all(fetch: Callable[..., Awaitable[Any]], field: str) -> list[Any]:
    found: list[Any] = []
    cursor: str | None = None
    for _ in range(PAGES):
        try:
            page = await fetch(cursor=cursor)
        except MCPError as error:
            if error.error.code == t.METHOD_NOT_FOUND:
                return []
            raise
        found += getattr(page, field)
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def _resource(each: Any, uri: str, *, template: bool) -> Resource:
    return Resource(
        uri=uri,
        name=each.name,
        title=each.title or each.name,
        mime=each.mime_type,
        description=each.description,
        template=template,
    )


def _content(uri: str, contents: t.TextResourceContents | t.BlobResourceContents) -> Content:
    if isinstance(contents, t.TextResourceContents):
        return Content(uri, contents.mime_type, contents.text)
    return Content(uri, contents.mime_type, base64.b64decode(contents.blob))
