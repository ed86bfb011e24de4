"""What goes wrong in reads, by the names that a plan has for it."""

from __future__ import annotations

import re

import pytest

from tests.tzzr_mocks.hst.asking import body, get, make_fake, reason, send
from tzzr_mocks.control import KINDS, PlanError
from tzzr_mocks.hst import HstFake
from tzzr_mocks.hst.faults import RowsFault

PAGE = {"fields": "id", "limit": "3", "meta": "filter_count"}


async def ids(fake: HstFake, page: int = 1) -> list[int]:
    return [row["id"] for row in body(await get(fake, "/items/tags_flg", {**PAGE, "page": str(page)}))["data"]]


async def test_a_partial_page_lacks_rows_that_the_count_has() -> None:
    fake = make_fake()
    fake.control.plan.add("hst: first read gets a partial page missing=2")
    answer = body(await get(fake, "/items/tags_flg", PAGE))
    assert answer == {"meta": {"filter_count": 65}, "data": [{"id": 1}]}
    assert await ids(fake) == [1, 2, 3]


async def test_a_wrong_total_leaves_the_rows_right() -> None:
    fake = make_fake()
    fake.control.plan.add({"match": {"service": "hst"}, "effect": {"kind": "wrong_total", "by": -5}})
    answer = body(await get(fake, "/items/tags_flg", PAGE))
    assert answer["meta"] == {"filter_count": 60}
    assert len(answer["data"]) == 3


async def test_a_repeated_row_comes_on_two_pages() -> None:
    fake = make_fake()
    fake.control.plan.add("hst: every read gets a row twice")
    assert [await ids(fake, 1), await ids(fake, 2)] == [[1, 2, 3], [3, 4, 5]]


async def test_a_stale_read_shows_the_rows_before_the_write() -> None:
    fake = make_fake()
    await send(fake, "PATCH", "/items/tags_flg/38", who="admin", body={"nombre": "Otra"})
    fake.control.plan.add("hst: 2nd read gets old rows")
    seen = [body(await get(fake, "/items/tags_flg/38", "fields=nombre"))["data"]["nombre"] for _ in range(3)]
    assert seen == ["Otra", "España", "Otra"]


async def test_a_slow_page_takes_its_time_on_the_worlds_clock() -> None:
    fake = make_fake()
    fake.control.plan.add("hst: first read gets a slow page seconds=20")
    clock = fake.control.seams.clock
    began = clock.monotonic()
    assert await ids(fake) == [1, 2, 3]
    assert clock.monotonic() - began == pytest.approx(20)


async def test_a_token_expires_in_mid_run() -> None:
    fake = make_fake()
    fake.control.plan.add("hst: 2nd read finds its token expired")
    statuses = [(await get(fake, "/items/tags_flg", PAGE)).status for _ in range(3)]
    assert statuses == [200, 401, 200]


async def test_a_revoked_permission_shuts_one_collection() -> None:
    fake = make_fake()
    fake.control.plan.add("hst: every read to tags_flg finds its permission revoked")
    refused = await get(fake, "/items/tags_flg")
    assert refused.status == 403
    assert 'collection "tags_flg"' in reason(refused)
    assert (await get(fake, "/items/tags_spe")).status == 200


async def test_a_changed_schema_refuses_the_old_name_until_the_reset() -> None:
    fake = make_fake()
    fake.control.plan.add("hst: 2nd read finds the schema changed old=nombre new=name")
    statuses = [(await get(fake, "/items/tags_flg/38", "fields=nombre")).status for _ in range(3)]
    assert statuses == [200, 403, 403]
    assert body(await get(fake, "/items/tags_flg/38", "fields=name")) == {"data": {"name": "España"}}
    fake.reset()
    fake.control.plan.clear()
    assert (await get(fake, "/items/tags_flg/38", "fields=nombre")).status == 200


@pytest.mark.parametrize(
    "effect",
    [
        {"kind": "partial_page", "missing": 0},
        {"kind": "slow_page", "seconds": 0},
        {"kind": "wrong_total", "by": 0},
        {"kind": "schema_changed", "new": "no name"},
    ],
)
def test_an_effect_that_would_change_nothing_is_refused(effect: dict[str, object]) -> None:
    with pytest.raises(PlanError):
        make_fake().control.plan.add({"match": {"service": "hst"}, "effect": effect})


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if issubclass(kind, RowsFault) and kind.kind])
def test_the_line_in_a_faults_docstring_is_understood(kind: type[RowsFault]) -> None:
    line = re.search(r"YAML: ``- (.*)``", kind.__doc__ or "")
    assert line is not None
    assert isinstance(make_fake().control.plan.add(line[1]).fault, kind)
