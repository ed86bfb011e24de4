"""Small pieces that the corpus does not reach: bodies, routes, worlds, files."""

from __future__ import annotations

import gc
import json
import sqlite3

import pytest

from tests.tzzr_mocks.hst.asking import body, get, make_fake, reason, send
from tzzr_mocks.hst.body import LIMIT, read_body
from tzzr_mocks.hst.conformance.cases import Case
from tzzr_mocks.hst.conformance.slots import Slots
from tzzr_mocks.hst.dialects import DIALECTS
from tzzr_mocks.hst.dialects.pg_functions import Average, array_length, like
from tzzr_mocks.hst.errors import Refusal
from tzzr_mocks.hst.exports.csv_file import to_csv
from tzzr_mocks.hst.seed import STARTING
from tzzr_mocks.hst.store import Store

JSON = "application/json"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{bad", "Expected property name or '}' in JSON at position 1 (line 1 column 2)"),
        ('{"a":1', "Expected ',' or '}' after property value in JSON at position 6 (line 1 column 7)"),
        ('["a"', "Expected ',' or ']' after array element in JSON at position 4 (line 1 column 5)"),
        ('{"a" 1}', "Expected ':' after property name in JSON at position 5 (line 1 column 6)"),
        ('{"a":}', 'Unexpected token \'}\', "{"a":}" is not valid JSON'),
        ("[1] x", "Unexpected non-whitespace character after JSON at position 4 (line 1 column 5)"),
        ('{\n"a":"b', "Unterminated string in JSON at position 8 (line 2 column 7)"),
        ('{"a":1,}', "Expected double-quoted property name in JSON at position 7 (line 1 column 8)"),
        ("[1,]", "Unexpected token ']', \"[1,]\" is not valid JSON"),
        ('{"a":[1}', "Expected ',' or ']' after array element in JSON at position 7 (line 1 column 8)"),
        ('{"a":tru}', 'Unexpected token \'}\', "{"a":tru}" is not valid JSON'),
        ('{"a":tr1}', "Unexpected number in JSON at position 7 (line 1 column 8)"),
        ('{"a":tr"}', "Unexpected string in JSON at position 7 (line 1 column 8)"),
        ('{"a":01}', "Unexpected number in JSON at position 6 (line 1 column 7)"),
        ('{"a":1.}', "Unterminated fractional number in JSON at position 7 (line 1 column 8)"),
        ("[1e]", "Exponent part is missing a number in JSON at position 3 (line 1 column 4)"),
        ("[-]", "No number after minus sign in JSON at position 2 (line 1 column 3)"),
        ('["\\x"]', "Bad escaped character in JSON at position 3 (line 1 column 4)"),
        ('["\\u12"]', "Bad Unicode escape in JSON at position 6 (line 1 column 7)"),
        ('["\\', "Unexpected end of JSON input"),
        ('["\n"]', "Bad control character in string literal in JSON at position 2 (line 1 column 3)"),
        ('{"query":{"limit":nope}}', 'Unexpected token \'o\', ..."{"limit":nope}}" is not valid JSON'),
        ("7", "Unexpected token '7', \"7\" is not valid JSON"),
        ("  ", "Unexpected end of JSON input"),
    ],
)
def test_a_body_that_is_no_json_is_refused_in_v8s_words(text: str, words: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_body(text.encode(), JSON)
    assert caught.value.message == f"Invalid payload. {words}."


def test_a_body_too_large_is_a_bad_payload() -> None:
    assert read_body(b"[" + b" " * (LIMIT - 2) + b"]", JSON) == []
    with pytest.raises(Refusal, match="request entity too large"):
        read_body(b"[" + b" " * (LIMIT - 1) + b"]", JSON)


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_a_body_of_another_type_counts_as_none(kind: str | None) -> None:
    assert read_body(b"{bad", kind) == {}


def test_the_type_of_a_body_may_have_parameters() -> None:
    assert read_body(b'{"a": 1}', "Application/JSON; charset=utf-8") == {"a": 1}


async def test_a_broken_escape_in_the_path_is_a_mistake_of_the_server() -> None:
    assert (await get(make_fake(), "/items/tags_flg/%E0%A4%A")).status == 500


async def test_the_case_of_a_route_does_not_count_that_of_a_collection_does() -> None:
    fake = make_fake()
    assert (await get(fake, "/ITEMS/tags_flg/1", "fields=id")).status == 200
    assert (await get(fake, "/items/TAGS_FLG/1")).status == 403


async def test_what_the_fake_does_not_cover_is_said_plainly() -> None:
    sent = await get(make_fake(), "/activity", who="admin")
    assert (sent.status, reason(sent)) == (501, "This fake of Directus does not cover GET /activity.")


async def test_the_description_names_what_the_asker_may_read() -> None:
    fake = make_fake()
    found = {who: body(await get(fake, "/server/specs/oas", who=who)) for who in ("none", "limited", "reader", "admin")}
    assert "/items/tags_flg" not in found["none"]["paths"]
    assert list(found["limited"]["components"]["schemas"]["ItemsTagsFlg"]["properties"]) == [
        "id",
        "ref",
        "nombre",
        "activo",
    ]
    assert "/items/tags_hst/{id}" in found["reader"]["paths"]
    assert set(found["reader"]["paths"]["/items/tags_hst"]) == {"get"}
    assert set(found["admin"]["paths"]["/items/tags_hst"]) == {"get", "post", "patch", "delete"}


async def test_the_empty_world_is_empty() -> None:
    assert body(await get(make_fake("empty"), "/items/tags_hst", "meta=total_count"))["meta"] == {"total_count": 0}


def test_the_world_of_many_rows_has_refs_of_their_own() -> None:
    rows = list(STARTING["many"]("hst"))
    assert len(rows) == len({row["ref"] for row in rows}) == 200_000
    assert len(list(STARTING["many"]("flg"))) == 65


async def test_a_failed_batch_leaves_nothing() -> None:
    fake = make_fake()
    sent = await send(fake, "POST", "/items/tags_flg", who="admin", body=[{"ref": "N1"}, {"ref": "ES"}])
    assert sent.status == 400
    assert body(await get(fake, "/items/tags_flg", "filter[ref][_eq]=N1")) == {"data": []}


def test_a_table_of_nothing_is_an_empty_text_and_a_row_stands_alone() -> None:
    assert to_csv([]) == ""
    assert to_csv({"a": "x", "b": {}, "c": None}) == '"a","b","c"\n"x","{}",'


@pytest.mark.parametrize(
    ("values", "average"),
    [
        ([1, 2], "1.5000000000000000"),
        ([0], "0.00000000000000000000"),
        ([1, 0, 0], "0.33333333333333333333"),
        ([None], None),
    ],
)
def test_an_average_has_postgres_scale(values: list[int | None], average: str | None) -> None:
    figure = Average()
    for value in values:
        figure.step(value)
    assert figure.finalize() == average


def test_postgres_like_is_exact_and_knows_an_escape() -> None:
    assert like("%A_c%", "xAbcx")
    assert not like("%a_c%", "xAbcx")
    assert like("100\\%", "100%")
    assert not like("100\\%", "100x")
    assert like(None, "x") is None


def test_postgres_counts_arrays_only() -> None:
    assert array_length("[1, 2]") == 2
    assert array_length(None) is None
    with pytest.raises(ValueError, match="non-array"):
        array_length("{}")


def test_a_refused_login_teaches_no_token() -> None:
    slots = Slots()
    slots.learn(Case("16_login-001", "default", "none", {}, {}), {}, b"no json")
    slots.learn(Case("16_login-001", "default", "none", {}, {}), {}, json.dumps({"errors": []}).encode())
    assert slots == {}


def test_a_database_goes_with_its_store() -> None:
    store = Store(DIALECTS["sqlite"]())
    connection = store._connection
    del store
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        connection.execute("SELECT 1")
