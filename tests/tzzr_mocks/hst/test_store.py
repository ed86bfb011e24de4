"""The rows in memory: what is kept of a value, what a transaction undoes, what the schema refuses."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.hst import tags
from tzzr_mocks.hst.accounts import ADMIN, LIMITED, NO_ACCESS, NOBODY, READER, READER_TOKEN, STATIC_TOKENS, Grant
from tzzr_mocks.hst.dialects import DIALECTS
from tzzr_mocks.hst.errors import Refusal
from tzzr_mocks.hst.query.model import FieldRef
from tzzr_mocks.hst.query.sql import Sql
from tzzr_mocks.hst.rows import RowShape, boolean, converter, document, timestamp, type_converter
from tzzr_mocks.hst.schemas import LIBRARIES, TAG_COLLECTIONS, FieldType
from tzzr_mocks.hst.seed import STARTING, many_rows, no_rows, recorded_rows, starting_rows
from tzzr_mocks.hst.store import Store

HST = TAG_COLLECTIONS[0]


@pytest.fixture(params=sorted(DIALECTS))
def store(request: pytest.FixtureRequest) -> Store:
    """A store of either dialect with two rows of one collection."""
    store = Store(DIALECTS[request.param]())
    store.fill({"tags_hst": [{"id": 1, "ref": "A", "nombre": "uno"}, {"id": 2, "ref": "B"}]})
    return store


def rows(store: Store, columns: str = "id, ref", table: str = "tags_hst") -> list[tuple[Any, ...]]:
    return store.rows(Sql(f"SELECT {columns} FROM {table} ORDER BY id"))  # noqa: S608 - words of this file


def count(store: Store, table: str = "tags_hst") -> int:
    return store.number(Sql(f"SELECT COUNT(*) FROM {table}"))  # noqa: S608 - words of this file


def test_a_store_has_the_three_collections_each_with_its_rows(store: Store) -> None:
    assert list(store.collections) == ["tags_hst", "tags_spe", "tags_flg"]
    assert rows(store, "id, ref, nombre") == [(1, "A", "uno"), (2, "B", None)]
    assert [count(store, name) for name in store.collections] == [2, 0, 0]


def test_filling_again_leaves_nothing_of_what_was_there(store: Store) -> None:
    store.rename_field("tags_hst", "nombre", "titulo")
    store.fill({"tags_flg": [{"id": 7, "ref": "F"}]})
    assert (rows(store), rows(store, table="tags_flg")) == ([], [(7, "F")])
    assert "nombre" in store.collections["tags_hst"].by_name


def test_every_column_is_declared_as_directus_declares_it(store: Store) -> None:
    columns = store.rows(Sql("PRAGMA table_info(tags_hst)"))
    declared = {name: (kind.lower(), required) for _, name, kind, required, *_ in columns}
    assert declared == {
        "id": ("integer", 1),
        "ref": ("varchar(255)", 1),
        **dict.fromkeys(("nombre", "nombre_en", "grupo", "padre"), ("varchar(255)", 0)),
        "descripcion": ("text", 0),
        **dict.fromkeys(("nivel", "orden"), ("integer", 0)),
        "activo": ("boolean", 0),
        "metadatos": ("json", 0),
        **dict.fromkeys(("date_created", "date_updated"), ("datetime", 0)),
    }
    assert list(declared) == list(HST.by_name)


@pytest.mark.parametrize(
    ("columns", "values", "words"),
    [("id, ref", (1, "C"), "UNIQUE"), ("id, ref", (3, "A"), "UNIQUE"), ("id, nombre", (3, "x"), "NOT NULL")],
    ids=["an id that is taken", "a ref that is taken", "no ref"],
)
def test_a_constraint_holds(store: Store, columns: str, values: tuple[Any, ...], words: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=words):
        store.change(f"INSERT INTO tags_hst ({columns}) VALUES (?, ?)", values)  # noqa: S608 - words of this file


def test_ids_go_on_after_the_last_one_and_never_come_back(store: Store) -> None:
    store.change("DELETE FROM tags_hst WHERE id = 2")
    assert store.change("INSERT INTO tags_hst (ref) VALUES (?)", ("C",)).lastrowid == 3
    store.skip_ids("tags_hst", 5)
    assert store.change("INSERT INTO tags_hst (ref) VALUES ('D')").lastrowid == 9


def test_ids_are_skipped_before_the_first_row_too(store: Store) -> None:
    store.skip_ids("tags_spe", 2)
    assert store.change("INSERT INTO tags_spe (ref) VALUES ('A')").lastrowid == 3


def test_skipped_ids_are_those_of_one_collection(store: Store) -> None:
    store.fill({name: [{"id": 1, "ref": "A"}] for name in ("tags_hst", "tags_spe")})
    store.skip_ids("tags_hst", 5)
    assert store.change("INSERT INTO tags_spe (ref) VALUES ('B')").lastrowid == 2


def clear_but_be_interrupted(store: Store) -> None:
    with store.transaction():
        store.change("DELETE FROM tags_hst")
        assert count(store) == 0
        raise KeyboardInterrupt


def test_a_transaction_keeps_all_or_nothing(store: Store) -> None:
    with store.transaction():
        store.change("INSERT INTO tags_hst (ref) VALUES ('C')")
    with pytest.raises(KeyboardInterrupt):
        clear_but_be_interrupted(store)
    assert rows(store) == [(1, "A"), (2, "B"), (3, "C")]


def test_a_copy_is_the_same_and_goes_its_own_way(store: Store) -> None:
    store.rename_field("tags_hst", "nombre", "titulo")
    other = Store(store.dialect)
    other.copy(store)
    assert (rows(other, "id, titulo"), other.collections) == ([(1, "uno"), (2, None)], store.collections)
    other.change("DELETE FROM tags_hst")
    other.rename_field("tags_spe", "nombre", "titulo")
    assert count(store) == 2
    assert "nombre" in store.collections["tags_spe"].by_name


def test_a_renamed_field_is_renamed_in_rows_and_schema_of_its_collection_alone(store: Store) -> None:
    store.rename_field("tags_hst", "nombre", "titulo")
    assert rows(store, "titulo") == [("uno",), (None,)]
    assert list(store.collections["tags_hst"].by_name)[2] == "titulo"
    assert "titulo" not in store.collections["tags_spe"].by_name


def test_a_new_store_knows_its_collections_and_has_no_tables_not_even_those_of_another_store(store: Store) -> None:
    other = Store(store.dialect)
    assert other.collections == {collection.name: collection for collection in TAG_COLLECTIONS}
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        count(other)


def test_a_change_outside_a_transaction_is_whole_at_once(store: Store) -> None:
    store.change("INSERT INTO tags_hst (ref) VALUES ('C')")
    with pytest.raises(KeyboardInterrupt):
        clear_but_be_interrupted(store)
    assert count(store) == 3


def test_a_store_may_be_used_by_another_thread(store: Store) -> None:
    with ThreadPoolExecutor(1) as elsewhere:
        assert elsewhere.submit(count, store).result() == 2


def test_a_timestamp_is_kept_in_milliseconds_and_never_follows_the_clock(store: Store) -> None:
    store.fill({"tags_hst": [{"id": 1, "ref": "A", "date_created": "1970-01-01T00:00:01.500Z"}]})
    assert rows(store, "date_created, date_updated") == [(1500, None)]
    with pytest.raises(ValueError, match=r"^a stored timestamp is an instant, not \$NOW$"):
        store.fill({"tags_hst": [{"id": 1, "ref": "A", "date_created": "$NOW"}]})


def test_objects_and_booleans_are_kept_as_the_database_keeps_them(store: Store) -> None:
    store.fill({"tags_hst": [{"id": 1, "ref": "A", "activo": True, "metadatos": {"b": 1, "a": [2]}}]})
    assert rows(store, "activo, metadatos") == [(1, '{"b":1,"a":[2]}')]


def test_a_number_that_the_database_does_not_take_is_refused_in_the_name_of_its_collection() -> None:
    store = Store(DIALECTS["postgres"]())
    with pytest.raises(Refusal, match=r'^Numeric value in collection "tags_hst" is out of range\.$'):
        store.fill({"tags_hst": [{"id": 1, "ref": "A", "nivel": 2**40}]})


# Starting worlds


def test_each_starting_world_has_rows_for_every_collection() -> None:
    assert set(STARTING) == {"default", "recorded", "empty", "many"}
    for name in ("default", "recorded", "empty"):
        world = {collection: list(found) for collection, found in starting_rows(name).items()}
        assert list(world) == [f"tags_{library}" for library in LIBRARIES]
        assert all(bool(found) is (name != "empty") for found in world.values())


def test_the_default_world_is_the_products_own_tags() -> None:
    world = starting_rows("default")
    assert all(list(world[f"tags_{library}"]) == list(tags.rows(library)) for library in LIBRARIES)
    assert all(list(many_rows(library)) == list(tags.rows(library)) for library in ("spe", "flg"))
    assert list(no_rows("hst")) == []


def test_the_recorded_world_is_read_from_each_librarys_own_file() -> None:
    recorded = {library: list(recorded_rows(library)) for library in LIBRARIES}
    assert all(row["id"] and row["ref"] for found in recorded.values() for row in found)
    assert len({len(found) for found in recorded.values()} | {found[0]["ref"] for found in recorded.values()}) > 3


def test_many_rows_are_the_same_tags_under_ids_and_refs_of_their_own() -> None:
    own = tags.rows("hst")
    many = list(many_rows("hst"))
    again = many[len(own)]
    assert len(many) == len({row["ref"] for row in many}) == 200_000
    assert [row["id"] for row in many] == list(range(1, 200_001))
    assert [row["ref"] for row in many[: len(own)]] == [row["ref"] for row in own]
    assert again == {**own[0], "id": len(own) + 1, "ref": f"{own[0]['ref']}-{len(own)}"}


def test_an_unknown_starting_world_is_told_the_nearest() -> None:
    with pytest.raises(PlanError) as caught:
        starting_rows("recordde")
    assert str(caught.value).startswith("unknown starting world of hst 'recordde'")
    assert (caught.value.suggestion, set(caught.value.known)) == ("recorded", set(STARTING))


# Accounts


def test_an_admin_sees_everything_nobody_nothing_and_the_others_what_they_were_granted() -> None:
    assert (ADMIN.grant("anything"), ADMIN.visible(HST)) == (Grant(), HST.names)
    assert READER.visible(HST) == HST.names
    assert LIMITED.visible(TAG_COLLECTIONS[2]) == {"id", "ref", "nombre", "activo"}
    for account, collection in ((NO_ACCESS, "tags_hst"), (LIMITED, "tags_hst"), (READER, "directus_users")):
        with pytest.raises(Refusal) as caught:
            account.grant(collection)
        assert caught.value.status == 403
        assert collection in caught.value.message


def test_who_sends_no_token_is_nobody_and_the_readers_token_is_the_readers() -> None:
    assert not NOBODY.known
    assert all(account.known for account in STATIC_TOKENS.values())
    assert STATIC_TOKENS[READER_TOKEN] is READER


# SQL values as JSON values


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1, True), (0, False), ("1", True), ("0", False), ("", None), (None, None), (2, 2), ("yes", "yes")],
    ids=repr,
)
def test_a_boolean_is_cast_as_directus_casts_it(value: Any, shown: Any) -> None:
    assert boolean(value) is shown if shown is None or isinstance(shown, bool) else boolean(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ('{"b": 1.0, "2": 0, "1": 1e2}', {"1": 100, "2": 0, "b": 1}),
        ("[1.5]", [1.5]),
        ("no JSON", "no JSON"),
        (2.0, 2),
        (2.5, 2.5),
        (None, None),
    ],
)
def test_a_document_has_javascripts_numbers_and_order_of_keys(value: Any, shown: Any) -> None:
    found = document(value)
    assert (found, type(found)) == (shown, type(shown))
    if isinstance(found, dict):
        assert list(found) == ["1", "2", "b"]
        assert all(type(number) is int for number in found.values())


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1500, "1970-01-01T00:00:01.500Z"), (1500.0, "1970-01-01T00:00:01.500Z"), (0, 0), (None, None), ("x", "x")],
)
def test_a_timestamp_is_shown_as_iso_8601_unless_it_is_none(value: Any, shown: Any) -> None:
    assert timestamp(value) == shown


def test_each_type_of_field_has_its_conversion_and_text_has_none() -> None:
    sqlite = DIALECTS["sqlite"]()
    plain = {name: converter(FieldRef(name), HST, sqlite) for name in ("nombre", "descripcion", "activo", "metadatos")}
    assert plain == {"nombre": None, "descripcion": None, "activo": boolean, "metadatos": document}
    assert converter(FieldRef("metadatos", "json"), HST, sqlite) is document
    parts = [converter(FieldRef("date_created", name), HST, DIALECTS["postgres"]()) for name in ("year", "second")]
    assert [[part(value) for value in (26, None)] for part in parts if part] == [["26", None], ["26.000000", None]]
    assert converter(FieldRef("date_created"), HST, sqlite) is timestamp
    whole = type_converter(FieldType.INTEGER)
    assert whole is not None
    assert (whole(2.0), type(whole(2.0)), whole(2.5), whole("2")) == (2, int, 2.5, "2")


def test_a_row_converts_the_columns_that_need_it_and_leaves_out_what_has_no_key() -> None:
    shape = RowShape([("ref", None), ("activo", boolean)])
    assert shape.row(("A", 1, "beyond")) == {"ref": "A", "activo": True}
