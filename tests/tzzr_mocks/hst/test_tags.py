from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tzzr_mocks.hst.tags import LIBRARIES, generate, rows
from tzzr_mocks.hst.tags.outline import OutlineError, parse

FIELDS = [
    "id",
    "ref",
    "nombre",
    "nombre_en",
    "descripcion",
    "grupo",
    "padre",
    "nivel",
    "orden",
    "activo",
    "metadatos",
    "date_created",
    "date_updated",
]
DIGESTS = {
    "hst": "bbf019946d3bb86f81640c9c02e4e9c7d830bbfcb16fc01d0bf1a19d0e5b6fde",
    "spe": "14b8c27c96e90a5b6f5b3c49af7039a7814c790f4e5af9d8eca4248414040cb4",
    "flg": "652a292fad2b13cd2a878265a14bfb1b36d8dc01e6ce8b3e1a1315d4497b5bb6",
}
# What these words look like when an accent or a tilde was lost; none is a Spanish word in its own right here.
UNACCENTED = re.compile(
    r"\b(numero|telefono|imagenes|electronic[oa]|electric[oa]|medic[oa]|tecnic[oa]|juridic[oa]|publicas?|iluminacion"
    r"|direccion|gestion|revision|edicion|informacion|administracion|pais|espana|anos?|ano|diseno|manana|senal"
    r"|companias?|credito|prestamo|periodico|articulo|titulo|calido|fria|neon|laser|segun|tambien|despues|mas)\b",
    re.IGNORECASE,
)


def every_row() -> list[dict[str, Any]]:
    return [row for library in LIBRARIES for row in rows(library)]


@pytest.mark.parametrize(("library", "count"), [("hst", 639), ("spe", 145), ("flg", 65)])
def test_each_library_has_the_number_of_tags_of_the_seed(library: str, count: int) -> None:
    assert len(rows(library)) == count


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_committed_file_has_the_pinned_digest(library: str) -> None:
    content = (generate.FOLDER / f"tags_{library}.jsonl").read_bytes()
    assert hashlib.sha256(content).hexdigest() == DIGESTS[library]


def test_generating_again_gives_the_committed_bytes() -> None:
    for library, text in generate.generate().items():
        assert text.encode("utf-8") == (generate.FOLDER / f"tags_{library}.jsonl").read_bytes()


def test_check_finds_the_committed_files_current() -> None:
    assert generate.main(["--check"]) == 0


def test_check_names_the_file_that_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = generate.generate()
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    monkeypatch.setattr(generate, "generate", lambda: texts)
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    (tmp_path / "tags_spe.jsonl").write_text("{}\n", encoding="utf-8")
    assert generate.main(["--check"]) == 1
    assert "tags_spe.jsonl is out of date" in capsys.readouterr().err


def test_a_wrong_outline_ends_generation_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    assert generate.main([]) == 2
    assert "curated/hst holds 0 tags; it must hold 639" in capsys.readouterr().err


def test_every_row_has_the_fields_of_the_contract_in_order() -> None:
    assert all(list(row) == FIELDS for row in every_row())


def test_refs_are_unique_over_the_three_libraries_even_without_case() -> None:
    refs = Counter(row["ref"].lower() for row in every_row())
    assert [ref for ref, count in refs.items() if count > 1] == []


def test_a_ref_fits_a_uri_without_escaping() -> None:
    assert [row["ref"] for row in every_row() if not re.fullmatch(r"[A-Za-z0-9.-]+", row["ref"])] == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_ids_count_from_one_and_are_no_order_of_the_tree(library: str) -> None:
    tags = rows(library)
    assert [row["id"] for row in tags] == list(range(1, len(tags) + 1))
    assert sorted(row["orden"] for row in tags) == [row["id"] for row in tags]
    assert [row["orden"] for row in tags] != [row["id"] for row in tags]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_parent_exists_one_level_above_in_the_same_group(library: str) -> None:
    by_ref = {row["ref"]: row for row in rows(library)}
    for row in by_ref.values():
        if row["padre"] is None:
            assert row["nivel"] == 1
        else:
            parent = by_ref[row["padre"]]
            assert (row["nivel"], row["grupo"]) == (parent["nivel"] + 1, parent["grupo"])
            assert parent["orden"] < row["orden"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_going_up_from_any_tag_ends_at_a_root(library: str) -> None:
    parents = {row["ref"]: row["padre"] for row in rows(library)}
    for ref in parents:
        seen: list[str] = []
        step: str | None = ref
        while step is not None:
            assert step not in seen, f"a cycle through {step}"
            seen.append(step)
            step = parents[step]


def test_no_two_children_of_a_parent_have_the_same_name() -> None:
    names = Counter((row["padre"], row["nombre"].casefold()) for row in every_row())
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("library", ["hst", "spe"])
def test_no_two_tags_of_a_library_share_name_and_description(library: str) -> None:
    texts = Counter((row["nombre"], row["descripcion"]) for row in rows(library))
    assert max(texts.values()) == 1


def test_a_description_is_one_sentence_that_starts_high_and_ends_with_a_point() -> None:
    wrong = [
        row["descripcion"] for row in every_row() if not re.fullmatch(r"[A-ZÁÉÍÓÚÑ].{10,}[^.]\.", row["descripcion"])
    ]
    assert wrong == []


def test_no_spanish_text_has_lost_its_accents() -> None:
    texts = [row[field] for row in every_row() for field in ("nombre", "descripcion", "grupo")]
    assert [text for text in texts if UNACCENTED.search(text)] == []


@pytest.mark.parametrize(
    ("ref", "nombre"),
    [
        ("doc.nomina", "Nómina"),
        ("doc.albaran", "Albarán"),
        ("area.marketing.diseno", "Diseño"),
        ("lugar.espana", "España"),
        ("rol.laboral.autonomo", "Autónomo"),
        ("fmt.video", "Vídeo"),
        ("evento.suceso.averia", "Avería"),
        ("luz-direccion.cenital", "Luz cenital"),
        ("luz-color.saturada.anil", "Luz añil"),
        ("luz-hora.manana", "Mañana"),
        ("JP", "Japón"),
        ("HU", "Hungría"),
    ],
)
def test_a_well_known_tag_is_spelt_as_spanish_spells_it(ref: str, nombre: str) -> None:
    assert next(row["nombre"] for row in every_row() if row["ref"] == ref) == nombre


def test_dates_are_iso_with_milliseconds_and_an_edit_never_precedes_its_tag() -> None:
    for row in every_row():
        assert all(
            re.fullmatch(r"\d{4}(-\d\d){2}T(\d\d:){2}\d\d\.000Z", row[f"date_{day}"]) for day in ("created", "updated")
        )
        assert datetime.fromisoformat(row["date_created"]) <= datetime.fromisoformat(row["date_updated"])


def test_a_few_tags_are_kept_as_inactive() -> None:
    inactive = [row["ref"] for row in every_row() if not row["activo"]]
    assert {"doc.fax", "fin.pago.cheque", "luz-fuente.descarga.mercurio"} <= set(inactive)
    assert len(inactive) < 10


def test_a_country_carries_its_codes() -> None:
    spain = next(row for row in rows("flg") if row["ref"] == "ES")
    assert spain["metadatos"] == {
        "iso2": "ES",
        "iso3": "ESP",
        "numeric": "724",
        "continent": "Europa",
        "currency": "EUR",
        "languages": ["es"],
    }


def test_every_country_agrees_with_cldr() -> None:
    babel = pytest.importorskip("babel", reason="babel is in the paint group")
    core = pytest.importorskip("babel.core")
    aliases = core.get_global("territory_aliases")
    spanish, english = babel.Locale("es").territories, babel.Locale("en").territories
    for row in rows("flg"):
        codes = row["metadatos"]
        assert (row["nombre"], row["nombre_en"]) == (spanish[row["ref"]], english[row["ref"]])
        assert aliases[codes["iso3"]] == aliases[codes["numeric"]] == [row["ref"]] == [codes["iso2"]]
        assert re.fullmatch(r"[A-Z]{3}", codes["currency"])
        assert codes["continent"] == row["grupo"]
        assert all(re.fullmatch(r"[a-z]{2,3}", language) for language in codes["languages"])


def test_what_a_caller_changes_no_other_caller_sees() -> None:
    rows("flg")[0]["metadatos"]["iso2"] = "changed"
    assert rows("flg")[0]["metadatos"]["iso2"] != "changed"


def test_an_unknown_library_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no tag library 'tags_hst'; there are hst, spe, flg"):
        rows("tags_hst")


def test_the_files_are_json_lines_without_escapes() -> None:
    for library in LIBRARIES:
        text = (generate.FOLDER / f"tags_{library}.jsonl").read_text(encoding="utf-8")
        assert "\\u" not in text
        assert [json.loads(line) for line in text.splitlines()] == rows(library)


def test_an_outline_becomes_refs_levels_and_metadata() -> None:
    text = '# comment\n\na | A | Aye | Raíz.\n  b | B | Bee | Rama. | {"k": 1}\n    ~c | C | Cee | Hoja.\n  d | D | Dee | Rama.\n'
    entries = parse(text, "x.txt")
    assert [(entry.ref, entry.padre, entry.nivel, entry.activo) for entry in entries] == [
        ("a", None, 1, True),
        ("a.b", "a", 2, True),
        ("a.b.c", "a.b", 3, False),
        ("a.d", "a", 2, True),
    ]
    assert {entry.grupo for entry in entries} == {"A"}
    assert entries[1].metadatos == {"k": 1}


def test_the_root_of_a_grouped_outline_is_no_tag() -> None:
    entries = parse("eu | Europa | Europe | Grupo.\n  ES | España | Spain | País.\n", "x.txt", grouped=True)
    assert [(entry.ref, entry.padre, entry.nivel, entry.grupo) for entry in entries] == [("ES", None, 1, "Europa")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "one root"),
        ("a | A | A | A.\nb | B | B | B.\n", "one root"),
        ("a | A | A | A.\n    b | B | B | B.\n", "x.txt:2: indented more than one step"),
        ("a | A | A | A.\n b | B | B | B.\n", "x.txt:2: the indent is 1 spaces"),
        ("a | A | A\n", "x.txt:1: write 'slug"),
        ("ñ | A | A | A.\n", "x.txt:1: 'ñ' is no slug"),
        ("a | A | A | A. | {\n", "x.txt:1: the fifth column is not JSON"),
        ("a | A | A | A. | 3\n", "x.txt:1: the fifth column must be a JSON object, not '3'"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_its_mend(text: str, message: str) -> None:
    with pytest.raises(OutlineError, match=re.escape(message)):
        parse(text, "x.txt")


def test_a_ref_that_is_there_twice_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    monkeypatch.setattr(generate, "COUNTS", {"hst": 1, "spe": 1, "flg": 0})
    for library in ("hst", "spe"):
        folder = tmp_path / "curated" / library
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text("a | A | Aye | Raíz.\n", encoding="utf-8")
    with pytest.raises(OutlineError, match="these refs are there more than once: a"):
        generate.generate()
