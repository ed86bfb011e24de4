"""Reading tags from the fake Directus: what a careful client relies on."""

from __future__ import annotations

import pytest

from tests.tzzr_mocks.hst.asking import body, get, make_fake, reason
from tzzr_mocks.control import PlanError


async def test_the_default_world_holds_the_tags_of_the_three_libraries() -> None:
    fake = make_fake("default")
    counts = [
        body(await get(fake, f"/items/tags_{library}", {"meta": "total_count", "limit": "1"}))["meta"]["total_count"]
        for library in ("hst", "spe", "flg")
    ]
    assert counts == [639, 145, 65]


async def test_a_page_holds_the_fields_asked_for_in_that_order() -> None:
    sent = await get(make_fake(), "/items/tags_flg", {"fields": "ref,id", "sort": "-ref", "limit": "2", "page": "2"})
    assert sent.status == 200
    assert body(sent) == {"data": [{"ref": "UY", "id": 33}, {"ref": "US", "id": 35}]}


async def test_every_row_comes_once_over_all_pages() -> None:
    fake = make_fake()
    ids: list[int] = []
    for page in range(1, 8):
        rows = body(await get(fake, "/items/tags_hst", {"fields": "id", "sort": "grupo", "page": str(page)}))["data"]
        ids += [row["id"] for row in rows]
    assert sorted(ids) == list(range(1, 640))


async def test_an_unknown_id_is_refused_like_one_that_may_not_be_read() -> None:
    sent = await get(make_fake(), "/items/tags_flg/999")
    assert sent.status == 403
    assert reason(sent) == "You don't have permission to access this."


@pytest.mark.parametrize(("token", "status"), [("none", 403), ("noaccess", 403), ("bad", 401), ("expired", 401)])
async def test_who_may_not_read_is_told_so(token: str, status: int) -> None:
    assert (await get(make_fake(), "/items/tags_flg", who=token)).status == status


async def test_the_token_in_the_environment_opens_the_collections() -> None:
    fake = make_fake("default")
    token = fake.environment["HST_TOKEN"]
    sent = await get(fake, "/items/tags_flg/1", f"access_token={token}&fields=id", who="none")
    assert body(sent) == {"data": {"id": 1}}


async def test_the_fake_says_that_it_is_one() -> None:
    assert (await get(make_fake(), "/server/ping")).headers["x-tzzr-fake"] == "hst"


async def test_reset_brings_back_the_starting_rows() -> None:
    fake = make_fake()
    fake.state.store.change('DELETE FROM "tags_flg"')
    fake.reset()
    assert body(await get(fake, "/items/tags_flg", {"aggregate[count]": "*"})) == {"data": [{"count": 65}]}


def test_an_unknown_starting_world_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PlanError, match="recorded"):
        make_fake("recored")


@pytest.mark.parametrize("operator", ["_icontains", "_istarts_with", "_nistarts_with", "_iends_with", "_niends_with"])
@pytest.mark.parametrize("value", ["true", "null", "12", '"12"'])
async def test_an_operator_that_folds_case_fails_on_all_but_texts(operator: str, value: str) -> None:
    sent = await get(make_fake(), "/items/tags_flg", f'fields=id&filter={{"ref":{{"{operator}":{value}}}}}')
    assert sent.status == (200 if value == '"12"' else 500)


@pytest.mark.parametrize(("fields", "first"), [
    ("padre.x,*.*", ["padre", "id", "ref"]), ("nombre.x,padre.x,*", ["nombre", "padre", "id"]),
    ("*,padre.x", ["id", "ref", "nombre"]), ("padre.x,ref", ["ref"]),
])  # fmt: skip
async def test_a_field_inside_a_plain_one_keeps_its_place_and_asks_for_nothing(fields: str, first: list[str]) -> None:
    rows = body(await get(make_fake(), "/items/tags_flg", {"fields": fields, "limit": "1"}))["data"]
    assert list(rows[0])[:3] == first


@pytest.mark.parametrize("fields", ["nada", "ref", "year(nombre)", "padre.x"])
async def test_beside_figures_no_field_is_looked_at(fields: str) -> None:
    sent = await get(make_fake("default"), "/items/tags_flg", f"aggregate[count]=*&fields={fields}")
    assert (sent.status, body(sent)) == (200, {"data": [{"count": 65}]})
