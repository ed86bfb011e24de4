"""What a server is, seen before the cases are asked: a Directus, with these tokens, with the recorded rows or others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from tzzr_mocks.hst.conformance.cases import Case
from tzzr_mocks.hst.conformance.over_http import Asked
from tzzr_mocks.hst.conformance.verdict import Sent
from tzzr_mocks.hst.schemas import LIBRARIES
from tzzr_mocks.hst.seed import recorded_rows


class NotComparable(Exception):
    """The cases need not be asked; the message says why and what to do."""


async def holds_recorded_rows(target: Asked, tokens: Mapping[str, str]) -> bool:
    """Whether the server's tags are the rows of the recordings, by their ids.

    Raises:
        NotComparable: it is no Directus, a token is refused, or the reader may read none of the collections.
        NoAnswer: as `Target.ask`.
    """
    await _is_directus(target)
    for name in sorted({*tokens} & {"reader", "admin"}):
        if (sent := await _get(target, tokens, name, "/items/tags_hst", "limit=1&fields=id")).status == 401:
            raise NotComparable(f"the server refuses the token of {name}: {_reason(sent)}; is it of this server?")
    found = [await _ids(target, tokens, library) for library in LIBRARIES]
    if not any(ids is not None for ids in found):
        raise NotComparable(
            f"the reader may read none of {', '.join(f'tags_{library}' for library in LIBRARIES)}, or they are not there"
            "; give its role the right to read them"
        )
    return found == [[row["id"] for row in recorded_rows(library)] for library in LIBRARIES]


async def _is_directus(target: Asked) -> None:
    sent = await _get(target, {}, "none", "/server/ping")
    if (sent.status, sent.content) != (200, b"pong"):
        raise NotComparable(
            f"{target.base} answers, but not as a Directus: GET /server/ping gave {sent.status} "
            f"{json.dumps(sent.content[:60].decode('utf-8', 'replace'))} in place of pong{_hint(target.base)}"
        )


def _hint(base: httpx.URL) -> str:
    """The address that was probably meant: the root, where a page or a route of Directus was given."""
    for page in ("/admin", "/items", "/server", "/graphql"):
        root, found, _ = base.path.partition(page)
        if found:
            return f"; give its root, {base.copy_with(path=root or '/')}"
    return "; give the address of its root, such as http://127.0.0.1:8055"


async def _ids(target: Asked, tokens: Mapping[str, str], library: str) -> list[Any] | None:
    sent = await _get(target, tokens, "reader", f"/items/tags_{library}", "fields=id&sort=id&limit=-1")
    rows = _json(sent).get("data") if sent.status == 200 else None
    return [row.get("id") for row in rows] if isinstance(rows, list) else None


async def _get(target: Asked, tokens: Mapping[str, str], who: str, path: str, query: str = "") -> Sent:
    request = {"method": "GET", "path": path, "query": query}
    try:
        return await target.ask(Case("00_sight-000", "default", who, request, {}), tokens)
    except httpx.TransportError as error:
        raise NotComparable(
            f"{target.base} does not speak HTTP as it should ({type(error).__name__}: {error}); "
            f"is it {'http' if target.base.scheme == 'https' else 'https'}://{target.base.netloc.decode()}?"
        ) from error


def _json(sent: Sent) -> dict[str, Any]:
    try:
        value = json.loads(sent.content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _reason(sent: Sent) -> str:
    return "; ".join(_messages(sent)) or f"status {sent.status}"


def _messages(sent: Sent) -> Iterator[str]:
    for error in _json(sent).get("errors", []):
        yield str(error.get("message"))
