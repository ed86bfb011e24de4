"""Rows of HST, and a Directus that serves them by the rules of directus.md: enough of it for unit tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import respx

from tests.tzzr_mcp.services.worlds import new_router

NO_RIGHT = {"errors": [{"message": "You don't have permission to access this.", "extensions": {"code": "FORBIDDEN"}}]}


def a_row(**changes: Any) -> dict[str, Any]:
    return {
        "id": 1,
        "ref": "ES",
        "nombre": "España",
        "nombre_en": "Spain",
        "descripcion": "País de Europa",
        "grupo": "europa",
        "padre": None,
        "nivel": 1,
        "orden": 1,
        "activo": True,
        "metadatos": {"iso": "ES"},
        "date_created": "2026-01-01T00:00:00.000Z",
        "date_updated": None,
        **changes,
    }


def rows(count: int, prefix: str) -> list[dict[str, Any]]:
    return [a_row(id=number, ref=f"{prefix}-{number:04}", nombre=f"Tag {number}") for number in range(1, count + 1)]


LIBRARIES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "tags_hst": rows(639, "H"),
    "tags_spe": rows(145, "S"),
    "tags_flg": [a_row(), a_row(id=2, ref="FR", nombre="Francia", nombre_en="France")],
}


class Shelf:
    """A Directus on a respx router; a collection or a field that there is not is 403, as a real one has it."""

    def __init__(self, libraries: Mapping[str, Sequence[Mapping[str, Any]]] = LIBRARIES) -> None:
        self.libraries = dict(libraries)
        self.router: respx.MockRouter = new_router()
        self.asked: list[httpx.Request] = []
        self.router.get(url__regex=r".*/items/\w+").mock(side_effect=self._items)

    def _items(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        collection = request.url.path.rpartition("/")[2]
        if collection not in self.libraries:
            return httpx.Response(403, json=NO_RIGHT)
        named = {*request.url.params["fields"].split(","), *request.url.params["sort"].split(",")}
        if not named <= set(a_row()):
            return httpx.Response(403, json=NO_RIGHT)
        found = [row for row in self.libraries[collection] if _fits(row, request.url.params.get("filter"))]
        begin, limit = int(request.url.params["offset"]), int(request.url.params["limit"])
        document = {"meta": {"filter_count": len(found)}, "data": found[begin : begin + limit]}
        return httpx.Response(200, json=document, headers={"X-TZZR-Fake": "hst"})

    @property
    def traces(self) -> set[str]:
        """The calls that the requests were for."""
        return {request.headers["X-Trace-Id"] for request in self.asked}

    @property
    def collections(self) -> list[str]:
        return [request.url.path.rpartition("/")[2] for request in self.asked]


def _fits(row: Mapping[str, Any], narrowed: str | None) -> bool:
    if narrowed is None:
        return True
    wanted = json.loads(narrowed)["ref"]["_eq"]
    return bool(row["ref"] == wanted or (wanted == "null" and row["ref"] is None))
