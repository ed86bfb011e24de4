"""Tags: folded, ranked, proposed."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tzzr_mcp.services.rows import a_row
from tzzr_mcp.services.tags import Entry, fold, nearest, proposals, read_tag, search


def entries(*rows: dict[str, Any]) -> list[Entry]:
    tags = [read_tag("hst", a_row(**row)) for row in rows]
    return [Entry(tag) for tag in tags if tag is not None]


def library() -> list[Entry]:
    """Tags with a castle somewhere, and one without."""
    return entries(
        {"ref": "Z-CASTILLO", "nombre": "Ruina", "descripcion": "Resto de un castillo"},
        {"ref": "castillo", "nombre": "Fortaleza"},
        {"ref": "B-2", "nombre": "Castillo"},
        {"ref": "B-1", "nombre": "Castillo de naipes"},
        {"ref": "A-1", "nombre": "El castillo"},
        {"ref": "A-0", "nombre": "Encastillos", "nombre_en": None, "descripcion": None},
        {"ref": "A-9", "nombre": "Peña", "nombre_en": "Rock"},
    )


def test_a_search_ranks_ref_name_prefix_word_and_substring_and_then_by_ref() -> None:
    assert [tag.ref for tag in search(library(), " CASTÍLLO ")] == [
        "castillo",
        "B-2",
        "B-1",
        "A-1",
        "Z-CASTILLO",
        "A-0",
    ]


@pytest.mark.parametrize("query", ["peña", "PENA", "Pen\u0303a", "rock"])
def test_accents_case_and_form_make_no_difference(query: str) -> None:
    assert [tag.ref for tag in search(library(), query)] == ["A-9"]


def test_the_blanks_between_words_are_one() -> None:
    assert [tag.ref for tag in search(library(), "  castillo   de\tnaipes ")] == ["B-1"]


def test_what_a_tag_does_not_have_is_not_found_in_it() -> None:
    bare = entries({"ref": "A", "nombre": "B", "nombre_en": None, "descripcion": None})
    assert [search(bare, query) for query in ("none", "x", "null")] == [[], [], []]
    full = entries({"ref": "A", "nombre": "B", "nombre_en": "Rock", "descripcion": "Una piedra"})
    assert [len(search(full, query)) for query in ("rock", "piedra")] == [1, 1]


def test_tags_of_one_ref_but_for_its_case_come_in_the_order_of_their_refs() -> None:
    twins = entries({"ref": "es", "nombre": "España"}, {"ref": "ES", "nombre": "Este"})
    assert [tag.ref for tag in search(twins, "es")] == ["ES", "es"]


def test_wildcards_are_letters_like_any_other() -> None:
    assert search(library(), "%") == []
    assert search(library(), "_") == []


@given(st.text(max_size=50))
@example("𝕬")
def test_folding_is_idempotent_and_blind_to_the_form_of_accents(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text))


@given(st.text(min_size=1, max_size=3))
def test_everything_that_a_search_finds_holds_the_query_and_nothing_is_found_twice(query: str) -> None:
    found = search(library(), query)
    assert len({tag.ref for tag in found}) == len(found)
    wanted = " ".join(fold(query).split())
    for tag in found:
        assert any(wanted in fold(text or "") for text in (tag.ref, tag.nombre, tag.nombre_en, tag.descripcion))


def test_proposals_begin_with_what_was_typed_refs_first() -> None:
    assert proposals(library(), "cast") == ["castillo", "B-1", "B-2"]
    assert proposals(library(), "a-") == ["A-0", "A-1", "A-9"]
    assert len(proposals(library(), "")) == len(library())


def test_the_nearest_refs_and_names_are_found() -> None:
    assert nearest(library(), "castilo")[0] == "castillo"
    many = entries(*({"ref": f"castillo-{letter}"} for letter in "abcde"))
    assert len(nearest(many, "castillo")) == 3
    assert "Fortaleza" in nearest(library(), "fortalesa", by_name=True)


@pytest.mark.parametrize(
    "broken",
    [
        {"ref": ""},
        {"ref": None},
        {"ref": 7},
        {"nombre": None},
        {"grupo": 3},
        {"nivel": "2"},
        {"orden": "2"},
        {"activo": "yes"},
    ],
    ids=str,
)
def test_a_row_that_is_not_of_its_type_is_no_tag(broken: dict[str, Any]) -> None:
    assert read_tag("hst", a_row(**broken)) is None


def test_a_row_without_a_field_is_no_tag() -> None:
    row = a_row()
    del row["metadatos"]
    assert read_tag("hst", row) is None


def test_a_tag_keeps_what_directus_said() -> None:
    tag = read_tag("flg", a_row(metadatos={"iso": [1, None]}))
    assert tag is not None
    assert tag.as_json() == {"biblioteca": "flg", **a_row(metadatos={"iso": [1, None]})}
