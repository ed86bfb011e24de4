"""What a filter of HST compares is what numbers are: each operator against Python's own (directus.md §4.3)."""

from __future__ import annotations

import asyncio
import json
import operator
from collections.abc import Callable, Sequence
from typing import Any

import httpx
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.seams import Dice, LoopClock, Seams
from tzzr_mocks.control import Control
from tzzr_mocks.hst import HstFake, HstSettings
from tzzr_mocks.hst.accounts import STATIC_TOKENS
from tzzr_mocks.hst.settings import DialectName
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import START

ADMIN = {"authorization": f"Bearer {next(token for token, account in STATIC_TOKENS.items() if account.admin)}"}
OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "_eq": operator.eq,
    "_neq": operator.ne,
    "_lt": operator.lt,
    "_lte": operator.le,
    "_gt": operator.gt,
    "_gte": operator.ge,
}
levels = st.none() | st.integers(-3, 3)


@given(
    dialect=st.sampled_from(["sqlite", "postgres"]),
    stored=st.lists(levels, min_size=1, max_size=6),
    bound=st.integers(-3, 3),
)
def test_a_comparison_finds_the_rows_that_compare_so_and_no_row_without_a_value(
    dialect: DialectName, stored: Sequence[int | None], bound: int
) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        found = runner.run(asked(dialect, stored, bound))

    for name, compares in OPERATORS.items():
        assert found[name] == [level for level in stored if level is not None and compares(level, bound)], name


async def asked(dialect: DialectName, stored: Sequence[int | None], bound: int) -> dict[str, list[int]]:
    """The levels that each operator finds, in the order in which they were stored."""
    control = Control("hst", Seams(LoopClock(START), Dice(7)))
    fake = HstFake(control, settings=HstSettings(dialect=dialect), starting="empty")
    rows: Any = [{"ref": f"r{number}", "nombre": "x", "nivel": level} for number, level in enumerate(stored)]
    over = httpx.ASGITransport(app=fake.app)
    async with httpx.AsyncClient(transport=over, base_url="http://hst.test/items", headers=ADMIN) as http:
        assert (await http.post("/tags_flg", json=rows)).status_code == 200
        found = {}
        for name in OPERATORS:
            query: dict[str, str | int] = {
                "filter": json.dumps({"nivel": {name: bound}}),
                "sort": "id",
                "fields": "nivel",
                "limit": -1,
            }
            found[name] = [row["nivel"] for row in (await http.get("/tags_flg", params=query)).json()["data"]]
            page = (await http.get("/tags_flg", params={**query, "limit": 1, "meta": "filter_count"})).json()
            assert page["meta"]["filter_count"] == len(found[name]), "what fits is counted, not what a page shows"
        return found
