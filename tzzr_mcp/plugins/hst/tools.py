"""The tools of HST: buscar_tags and obtener_tag."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from tzzr_mcp.contract.errors import ArgumentInvalid, shown
from tzzr_mcp.output import Column, Link, Source, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.hst.declarations import SOURCE
from tzzr_mcp.plugins.hst.schemas import ALL
from tzzr_mcp.services.hst import Found, Hst, Library
from tzzr_mcp.services.spanish import alike, counted, delay
from tzzr_mcp.services.tags import LIBRARIES, Tag, nearest, search

LINKED: Final = 10
"""Tags of one page that get a link of their own."""

_COLUMNS: Final = (
    Column("ref", "Referencia"),
    Column("nombre", "Nombre"),
    Column("biblioteca", "Biblioteca"),
    Column("grupo", "Grupo"),
    Column("padre", "Padre"),
    Column("descripcion", "Descripción"),
)


@dataclass(frozen=True)
class _Page:
    """One page of a search."""

    query: str
    library: str
    limit: int
    number: int
    found: Sequence[Tag]

    @property
    def pages(self) -> int:
        """How many pages all that was found fills; 0 where nothing was."""
        return -(-len(self.found) // self.limit)

    @property
    def tags(self) -> Sequence[Tag]:
        """The tags of this page; none beyond the last."""
        begin = (self.number - 1) * self.limit
        return self.found[begin : begin + self.limit]

    def as_json(self) -> dict[str, Any]:
        """The page as the tool's ``data`` holds it."""
        return {
            "consulta": self.query,
            "biblioteca": self.library,
            "total": len(self.found),
            "pagina": self.number,
            "paginas": self.pages,
            "limite": self.limit,
            "tags": [tag.as_json() for tag in self.tags],
        }


async def buscar_tags(call: Call[Hst]) -> ToolOutput:
    """Tags by ref or name, ranked, a page of them."""
    begun = call.seams.clock.now()
    page, libraries = await _searched(call)
    rows = [[getattr(tag, column.key) for column in _COLUMNS] for tag in page.tags]
    table = Table("tags", f"Tags para {shown(page.query)}", _COLUMNS, rows)
    oldest = min(libraries, key=lambda library: library.read_at)
    age = (call.seams.clock.now() - oldest.read_at).total_seconds()
    origin = [_origin(oldest.simulated), *([f"leídos hace {delay(age)}"] if age >= 1 else [])]
    return ToolOutput(
        text="\n".join([*_told(page, libraries), " · ".join(origin)]),
        data=page.as_json(),
        source=Source(SOURCE, "dataset", oldest.read_at, oldest.simulated),
        tables=[table] if rows else [],
        links=[_link(tag) for tag in page.tags[:LINKED]],
        meta={"cached": oldest.read_at < begun},
    )


async def obtener_tag(call: Call[Hst]) -> ToolOutput:
    """One tag, whole."""
    ref = str(call.arguments["ref"])
    if not ref.strip():
        raise ArgumentInvalid("ref", f"El argumento «ref» está en blanco ({shown(ref)}); se acepta una referencia.")
    found = await call.clients.tag(ref, call.deadline, call.trace_id)
    return ToolOutput(
        text="\n".join([*_described(found.tag), _origin(found.simulated)]),
        data=found.tag.as_json(),
        source=Source(SOURCE, "dataset", found.read_at, found.simulated),
        tables=[_properties(found)],
        links=[_link(found.tag)],
        meta={"cached": False},
    )


async def _searched(call: Call[Hst]) -> tuple[_Page, list[Library]]:
    given = call.arguments
    query = str(given["consulta"])
    if not query.strip():
        message = f"El argumento «consulta» está en blanco ({shown(query)}); se acepta una palabra o una referencia."
        raise ArgumentInvalid("consulta", message)
    name = str(given.get("biblioteca", ALL))
    names = list(LIBRARIES) if name == ALL else [name]
    libraries = await call.clients.libraries(names, call.deadline, call.trace_id)
    found = search((entry for library in libraries for entry in library.entries), query)
    return _Page(query, name, int(given.get("limite", 20)), int(given.get("pagina", 1)), found), libraries


def _told(page: _Page, libraries: Sequence[Library]) -> list[str]:
    total = counted(len(page.found), "tag", "tags")
    where = "" if page.library == ALL else f" en la biblioteca {page.library}"
    if not page.found:
        return [f"Ningún tag coincide con {shown(page.query)}{where}. {_advice(page.query, libraries)}"]
    if not page.tags:
        pages = counted(page.pages, "página", "páginas")
        return [f"La página {page.number} no existe: hay {total} para {shown(page.query)}, en {pages}."]
    head = f"{total} para {shown(page.query)}{where}, página {page.number} de {page.pages}:"
    return [head, *(f"  {_line(tag)}" for tag in page.tags)]


def _advice(query: str, libraries: Sequence[Library]) -> str:
    entries = [entry for library in libraries for entry in library.entries]
    names = nearest(entries, query, by_name=True)
    return f"{alike(names)}." if names else "Pruebe con una palabra más corta o más general."


def _line(tag: Tag) -> str:
    group = f", {tag.grupo}" if tag.grupo else ""
    idle = ", sin uso" if tag.activo is False else ""
    about = f": {tag.descripcion}" if tag.descripcion else ""
    return f"{tag.ref} · {tag.nombre} ({tag.biblioteca}{group}{idle}){about}"


def _described(tag: Tag) -> list[str]:
    facts = {
        "nombre en inglés": tag.nombre_en,
        "padre": tag.padre,
        "nivel": tag.nivel,
        "orden": tag.orden,
        "metadatos": None if tag.metadatos is None else json.dumps(tag.metadatos, ensure_ascii=False),
    }
    return [_line(tag), *(f"  {name}: {value}" for name, value in facts.items() if value is not None)]


def _properties(found: Found) -> Table:
    columns = [Column("campo", "Campo"), Column("valor", "Valor")]
    values = {**found.tag.as_json(), "metadatos": json.dumps(found.tag.metadatos, ensure_ascii=False)}
    return Table("tag", f"Tag {found.tag.ref}", columns, [[name, value] for name, value in values.items()])


def _link(tag: Tag) -> Link:
    return Link(tag.nombre, f"tzzr://hst/tag/{quote(tag.ref, safe='')}", "application/json")


def _origin(simulated: bool) -> str:
    return f"fuente: {SOURCE}{' (simulado)' if simulated else ''}"
