"""The tools, resources and templates of HST, as MCP shows them. Imports nothing that runs."""

from __future__ import annotations

from typing import Final

from tzzr_mcp.plugins.api import DeclaredSource, Plugin, Resource, ResourceTemplate, Tool
from tzzr_mcp.plugins.hst.schemas import READ, SEARCH, SEARCH_RESULT, TAG
from tzzr_mcp.plugins.hst.settings import HstSettings

_PACKAGE: Final = "tzzr_mcp.plugins.hst"
SOURCE: Final = "HST/Directus"
_SOURCE: Final = DeclaredSource(SOURCE, "dataset")


def _library(name: str, title: str, description: str) -> Resource:
    return Resource(
        uri=f"tzzr://hst/tags/{name}",
        name=f"hst-tags-{name}",
        title=title,
        description=description,
        read=f"{_PACKAGE}.resources:read_{name}",
    )


plugin: Final = Plugin(
    name="hst",
    description="Tags semánticos de HST (Directus): búsqueda y consulta.",
    settings=HstSettings,
    tools=(
        Tool(
            name="buscar_tags",
            title="Buscar tags",
            description=(
                "Busca tags de HST por referencia o por nombre, sin distinguir mayúsculas ni acentos, del más al menos "
                "parecido. Úsela para etiquetar un documento: proponga solo tags que aparezcan aquí. Busque palabras "
                "sueltas, no frases."
            ),
            input_schema=SEARCH,
            data_schema=SEARCH_RESULT,
            source=_SOURCE,
            run=f"{_PACKAGE}.tools:buscar_tags",
            questions=("Busque los tags de «factura».",),
        ),
        Tool(
            name="obtener_tag",
            title="Consultar un tag",
            description=(
                "Da todos los datos de un tag a partir de su referencia exacta: nombre, descripción, grupo, tag padre y "
                "metadatos. Si no sabe la referencia, búsquela antes con buscar_tags."
            ),
            input_schema=READ,
            data_schema=TAG,
            source=_SOURCE,
            run=f"{_PACKAGE}.tools:obtener_tag",
        ),
    ),
    resources=(
        _library("hst", "Tags base de HST", "Los 639 tags base: tipos de documento, áreas, estados, lugares y más."),
        _library("spe", "Tags de iluminación", "Los 145 tags de iluminación de la biblioteca SPE."),
        _library("flg", "Tags de países", "Los 65 países de la biblioteca FLG."),
    ),
    templates=(
        ResourceTemplate(
            uri_template="tzzr://hst/tag/{ref}",
            name="hst-tag",
            title="Tag de HST",
            description="Un tag de HST por su referencia exacta; las referencias se completan al escribirlas.",
            read=f"{_PACKAGE}.resources:read_tag",
            complete={"ref": f"{_PACKAGE}.resources:complete_ref"},
        ),
    ),
    lifespan=f"{_PACKAGE}.clients:lifespan",
    probes=(f"{_PACKAGE}.clients:probe",),
)
