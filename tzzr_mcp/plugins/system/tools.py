"""The tool of the server itself: explorar_recursos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tzzr_mcp.contract.errors import ArgumentInvalid
from tzzr_mcp.output import Column, Link, Source, Table, ToolOutput
from tzzr_mcp.plugins.api import Call, Listed, ResourceNotFound
from tzzr_mcp.plugins.system.resources import ORIGIN
from tzzr_mcp.services.spanish import counted, shortened

SHOWN: Final = 20_000
"""Characters of a resource that go into the text for the model; the data hold all of it."""


async def explorar_recursos(call: Call[Any]) -> ToolOutput:
    """What the server holds, or the content of one resource."""
    uri = call.arguments.get("uri")
    return _catalogue(call) if uri is None else await _opened(call, str(uri))


def _catalogue(call: Call[Any]) -> ToolOutput:
    resources = call.server.resources()
    columns = [Column("uri", "URI"), Column("titulo", "Título"), Column("descripcion", "Descripción")]
    table = Table("recursos", "Recursos", columns, [[each.uri, each.title, each.description] for each in resources])
    return ToolOutput(
        text="\n".join([*_lines(resources), f"fuente: {ORIGIN}"]),
        data={"recursos": [_listed(each) for each in resources], "uri": None, "contenido": None},
        source=_source(call),
        tables=[table],
        links=[Link(each.title, each.uri, each.mime_type) for each in resources if not each.template],
    )


async def _opened(call: Call[Any], uri: str) -> ToolOutput:
    known = {each.uri: each for each in call.server.resources()}
    if uri in known and known[uri].template:
        message = f"{uri} es una plantilla: sustituya lo que está entre llaves por un valor y vuelva a abrirla."
        raise ArgumentInvalid("uri", message)
    try:
        content = await call.server.read(uri, call)
    except ResourceNotFound as error:
        raise ArgumentInvalid("uri", str(error), accepted=sorted(known)) from error
    source = call.origins[-1] if call.origins else _source(call)
    return ToolOutput(
        text="\n".join(
            [f"Contenido de {uri}:", shortened(content, SHOWN), f"fuente: {source.name}{_simulated(source)}"]
        ),
        data={"recursos": [], "uri": uri, "contenido": content},
        source=source,
        links=[Link(known[uri].title if uri in known else uri, uri)],
    )


def _lines(resources: Sequence[Listed]) -> list[str]:
    head = counted(len(resources), "recurso", "recursos")
    lines = [f"  {each.uri} · {each.title}: {each.description}" for each in resources]
    return [
        f"{head}; ábralos con explorar_recursos y su uri (en las plantillas, sustituya lo que va entre llaves):",
        *lines,
    ]


def _listed(each: Listed) -> dict[str, Any]:
    return {
        "uri": each.uri,
        "titulo": each.title,
        "descripcion": each.description,
        "tipo_mime": each.mime_type,
        "plantilla": each.template,
    }


def _simulated(source: Source) -> str:
    return " (simulado)" if source.simulated else ""


def _source(call: Call[Any]) -> Source:
    return Source(ORIGIN, "computation", call.seams.clock.now())
