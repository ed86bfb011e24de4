"""Whatever is asked, the fake answers in Directus' own envelope; a mistake of its own would be a logged traceback."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tzzr_mocks.hst.asking import body, make_fake, reason, send
from tzzr_mocks.hst.accounts import READER_TOKEN
from tzzr_mocks.hst.exchange import Answer, Call
from tzzr_mocks.hst.settings import DialectName
from tzzr_mocks.network.virtual import new_virtual_loop

FAKES: dict[str, Any] = {}
NAMES = [
    "_and",
    "_or",
    "_eq",
    "_neq",
    "_in",
    "_nin",
    "_null",
    "_some",
    "_none",
    "_json",
    "_between",
    "_contains",
    "_gt",
    "_empty",
]
FIELDS = [
    "id",
    "ref",
    "nombre",
    "orden",
    "activo",
    "metadatos",
    "date_created",
    "nope",
    "year(date_created)",
    "count(metadatos)",
    "json(metadatos,color)",
]
PARAMETERS = [
    "fields",
    "filter",
    "sort",
    "limit",
    "offset",
    "page",
    "meta",
    "search",
    "aggregate",
    "groupBy",
    "alias",
    "export",
    "version",
    "deep",
]

keys = st.sampled_from([*NAMES, *FIELDS, "count", "sum", "$FOLLOW(x,y)"]) | st.text(max_size=3)
words = st.sampled_from(["*", "-orden", "true", "null", "$NOW(-1 day)", "2024-01-01", "1", "-1", "1e3", "a,b", *FIELDS])
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words | st.text(max_size=5)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
)
queries = st.dictionaries(st.sampled_from(PARAMETERS), values, max_size=4)


def run(waiting: Coroutine[Any, Any, Answer]) -> Answer:
    """Each example on a loop of its own."""
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(waiting)


async def search(dialect: DialectName, query: dict[str, Any]) -> Answer:
    fake = FAKES.setdefault(dialect, make_fake(dialect=dialect))
    headers = {"authorization": f"Bearer {READER_TOKEN}", "content-type": "application/json"}
    content = json.dumps({"query": query}).encode()
    answer: Answer = await fake.server.answer(Call("SEARCH", "/items/tags_flg", headers=headers, content=content))
    return answer


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=queries)
def test_any_query_is_answered(dialect: DialectName, query: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        answer = run(search(dialect, query))
    assert caplog.records == []
    assert answer.status in (200, 400, 403, 500)
    if answer.status != 200:
        assert json.loads(answer.body)["errors"][0]["extensions"]["code"]


@settings(deadline=None, max_examples=100)
@given(
    method=st.sampled_from(["GET", "POST", "PATCH", "DELETE", "SEARCH", "PUT"]),
    path=st.text(max_size=20),
    body=st.binary(max_size=30),
)
def test_any_request_is_answered(method: str, path: str, body: bytes) -> None:
    fake = FAKES.setdefault("requests", make_fake())
    headers = {"content-type": "application/json"}
    call = Call(method, "/" + path, path, headers=headers, content=body)
    assert run(fake.server.answer(call)).status < 500


BEYOND = 2**63
WRITES: list[tuple[str, Any]] = [
    ("DELETE", [BEYOND]),
    ("DELETE", {"keys": [-BEYOND]}),
    ("PATCH", {"keys": [BEYOND], "data": {"nombre": "x"}}),
    ("PATCH", [{"id": -BEYOND, "nombre": "x"}]),
    ("POST", {"id": BEYOND, "ref": "z"}),
]
"""With a key that no column of either database holds."""


@pytest.mark.parametrize(("method", "sent"), WRITES)
async def test_sqlite_finds_no_row_by_a_key_beyond_its_numbers_and_takes_none(method: str, sent: Any) -> None:
    told = await send(make_fake(dialect="sqlite"), method, "/items/tags_flg", who="admin", body=sent)
    if method == "POST":
        assert (told.status, reason(told)) == (500, "datatype mismatch")
    else:
        assert told.status == (204 if method == "DELETE" else 200)
        assert method == "DELETE" or body(told) == {"data": []}


@pytest.mark.parametrize(("method", "sent"), WRITES)
async def test_postgresql_says_of_a_key_beyond_its_numbers_that_it_is(method: str, sent: Any) -> None:
    told = await send(make_fake(dialect="postgres"), method, "/items/tags_flg", who="admin", body=sent)
    assert told.status == 500
    assert reason(told).endswith("is out of range for type integer")
