"""buscar_tags and obtener_tag: what is found, told and shown."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import jsonschema
import pytest

from tests.tzzr_mcp.plugins.calls import a_call
from tests.tzzr_mcp.services.rows import LIBRARIES, Shelf, a_row
from tests.tzzr_mcp.services.worlds import START, new_seams, new_upstream
from tzzr_mcp.contract.errors import ArgumentInvalid, Code, ContractError
from tzzr_mcp.output import ToolOutput, output_schema
from tzzr_mcp.plugins.hst.declarations import plugin
from tzzr_mcp.plugins.hst.tools import buscar_tags, obtener_tag
from tzzr_mcp.services.directus import Directus
from tzzr_mcp.services.hst import Hst

SCHEMAS = {tool.name: output_schema(tool.data_schema or {}) for tool in plugin.tools}


class Desk:
    """The two tools over a shelf of tags."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.shelf, self.seams = shelf or Shelf(), new_seams()
        self.hst = Hst(Directus(new_upstream(self.shelf.router, self.seams, "hst")))

    async def search(self, **arguments: Any) -> ToolOutput:
        output = await buscar_tags(a_call(self.hst, self.seams, arguments))
        jsonschema.validate(output.structured(), SCHEMAS["buscar_tags"])
        return output

    async def read(self, ref: str) -> ToolOutput:
        output = await obtener_tag(a_call(self.hst, self.seams, {"ref": ref}))
        jsonschema.validate(output.structured(), SCHEMAS["obtener_tag"])
        return output


async def test_a_search_shows_what_it_found_with_a_table_links_and_source() -> None:
    output = await Desk().search(consulta="espana")
    assert output.text.splitlines() == [
        '1 tag para "espana", página 1 de 1:',
        "  ES · España (flg, europa): País de Europa",
        "fuente: HST/Directus (simulado)",
    ]
    assert output.tables[0].rows == [["ES", "España", "flg", "europa", None, "País de Europa"]]
    assert [link.uri for link in output.links] == ["tzzr://hst/tag/ES"]
    assert output.source.kind == "dataset"
    assert output.meta["cached"] is False


async def test_pages_run_over_the_ranked_union_of_the_libraries() -> None:
    desk = Desk()
    pages = [await desk.search(consulta="tag 1", limite=60, pagina=number) for number in (1, 2, 3)]
    refs = [tag["ref"] for page in pages for tag in page.data["tags"]]
    assert {(page.data["total"], page.data["paginas"]) for page in pages} == {(len(refs), 3)}
    assert refs[:2] == ["H-0001", "S-0001"]
    assert len(set(refs)) == len(refs)


async def test_one_library_alone_is_searched_and_read() -> None:
    desk = Desk()
    output = await desk.search(consulta="tag 1", biblioteca="spe", limite=5.0)
    assert {tag["biblioteca"] for tag in output.data["tags"]} == {"spe"}
    assert "en la biblioteca spe" in output.text
    assert desk.shelf.collections == ["tags_spe"]


async def test_tags_that_were_read_for_this_very_search_are_not_from_memory_though_time_goes_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, read = Desk(), count(1)
    monkeypatch.setattr(desk.seams.clock, "now", lambda: START + timedelta(microseconds=next(read)))
    first, again = await desk.search(consulta="espana"), await desk.search(consulta="espana")
    assert (first.meta["cached"], again.meta["cached"]) == (False, True)


async def test_tags_from_memory_tell_their_age() -> None:
    desk = Desk()
    await desk.search(consulta="espana")
    await desk.seams.clock.sleep(120)
    output = await desk.search(consulta="espana")
    assert output.text.splitlines()[-1] == "fuente: HST/Directus (simulado) · leídos hace 2 minutos"
    assert output.meta["cached"] is True
    assert output.source.as_json()["retrieved_at"] == "2026-01-04T10:00:00.000Z"


async def test_nothing_found_proposes_what_is_near_or_another_word() -> None:
    desk = Desk()
    near = await desk.search(consulta="francai", biblioteca="flg")
    assert near.text.startswith('Ningún tag coincide con "francai" en la biblioteca flg. Se parece Francia.')
    nothing = await desk.search(consulta="xyzzy")
    assert "Pruebe con una palabra más corta" in nothing.text
    assert nothing.tables == []
    assert nothing.data["tags"] == []


async def test_a_page_beyond_the_last_says_how_many_there_are() -> None:
    output = await Desk().search(consulta="espana", pagina=9)
    assert output.text.startswith('La página 9 no existe: hay 1 tag para "espana", en 1 página.')


async def test_a_blank_query_or_ref_is_refused_and_nothing_is_asked() -> None:
    desk = Desk()
    with pytest.raises(ArgumentInvalid) as caught:
        await desk.search(consulta="  ")
    assert caught.value.argument == "consulta"
    with pytest.raises(ArgumentInvalid):
        await desk.read(" ")
    assert desk.shelf.asked == []


async def test_a_tag_is_shown_whole() -> None:
    output = await Desk().read("ES")
    assert output.text.splitlines() == [
        "ES · España (flg, europa): País de Europa",
        "  nombre en inglés: Spain",
        "  nivel: 1",
        "  orden: 1",
        '  metadatos: {"iso": "ES"}',
        "fuente: HST/Directus (simulado)",
    ]
    assert output.data == {"biblioteca": "flg", **a_row()}
    assert ["metadatos", '{"iso": "ES"}'] in output.tables[0].rows


async def test_an_idle_tag_without_details_is_shown_as_such() -> None:
    bare = a_row(
        ref="a/b", nombre_en=None, descripcion=None, grupo=None, nivel=None, orden=None, activo=False, metadatos=None
    )
    output = await Desk(Shelf({**LIBRARIES, "tags_spe": [bare]})).read("a/b")
    assert output.text.splitlines()[0] == "a/b · España (spe, sin uso)"
    assert output.links[0].uri == "tzzr://hst/tag/a%2Fb"


async def test_an_unknown_tag_is_a_failure_that_names_the_nearest() -> None:
    with pytest.raises(ContractError) as caught:
        await Desk().read("FRA")
    assert caught.value.failure.code is Code.HST_NOT_FOUND
    assert caught.value.failure.message == (
        'No se encontró el tag: la referencia "FRA" no existe o no se puede leer con este token. Se parece FR.'
    )
