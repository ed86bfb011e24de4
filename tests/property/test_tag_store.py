"""The rows of the HST fake against a dict: what admins write over its routes, everybody reads back, and nothing else."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.property.tag_table import Asked, Narrowing, Row, Table, changes, keys, narrowings, news, pages
from tzzr_mcp.seams import Dice, LoopClock, Seams
from tzzr_mocks.control import Control
from tzzr_mocks.hst import HstFake, HstSettings
from tzzr_mocks.hst.accounts import READER_TOKEN, STATIC_TOKENS
from tzzr_mocks.hst.query.model import AllOf
from tzzr_mocks.hst.settings import DialectName
from tzzr_mocks.hst.store import Store
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import START

T = TypeVar("T")
ADMIN_TOKEN = next(token for token, account in STATIC_TOKENS.items() if account.admin)


class TagStore(RuleBasedStateMachine):
    """One collection, written by an admin; the model is a dict."""

    @initialize(dialect=st.sampled_from(["sqlite", "postgres"]))
    def open(self, dialect: DialectName) -> None:
        """An empty collection."""
        self.runner = asyncio.Runner(loop_factory=new_virtual_loop)
        self.clock = LoopClock(START)
        control = Control("hst", Seams(self.clock, Dice(7)))
        self.fake = HstFake(control, settings=HstSettings(dialect=dialect), starting="empty")
        transport = httpx.ASGITransport(app=self.fake.app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://hst.test")
        self.model = Table(burns=dialect == "postgres")
        self.keep()

    def on_the_loop(self, work: Callable[[], T]) -> T:
        """What can only be done where a clock is."""

        async def do() -> T:
            return work()

        return self.runner.run(do())

    def ask(self, method: str, path: str = "", body: Any = None, token: str = ADMIN_TOKEN, **query: Any) -> Any:
        """The status and what is told, or the code of the refusal."""
        params = {name: value if isinstance(value, str | int) else json.dumps(value) for name, value in query.items()}
        headers = {"authorization": f"Bearer {token}"}
        told = {} if body is None else {"json": body}
        address = f"/items/tags_flg{path}"
        reply = self.runner.run(self.http.request(method, address, params=params, headers=headers, **told))
        if not reply.content:
            return reply.status_code, None
        document = reply.json()
        return reply.status_code, document["errors"][0]["extensions"]["code"] if "errors" in document else document

    def now(self) -> str:
        """The present instant as Directus writes it."""
        return self.on_the_loop(self.clock.now).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    @rule(seconds=st.sampled_from([0.25, 3600.0]))
    def wait(self, seconds: float) -> None:
        """Time goes by, and stamps differ."""
        self.runner.run(self.clock.sleep(seconds))

    @rule(row=news)
    def create(self, row: Row) -> None:
        """One new row."""
        made = self.model.create([row], self.now())
        assert self.ask("POST", body=row) == ((200, {"data": made[0]}) if made else (400, "RECORD_NOT_UNIQUE"))

    @rule(rows=st.lists(news, max_size=4))
    def create_several(self, rows: Sequence[Row]) -> None:
        """Several new rows, or none of them."""
        made = self.model.create(rows, self.now())
        assert self.ask("POST", body=rows) == (
            (200, {"data": made}) if made is not None else (400, "RECORD_NOT_UNIQUE")
        )

    @rule(key=keys, row=changes)
    def update(self, key: int, row: Row) -> None:
        """One row; a key that is none is answered without a word."""
        changed = self.model.update([(key, row)], self.now())
        expected = (
            (400, "RECORD_NOT_UNIQUE") if changed is None else (200, {"data": changed[0]}) if changed else (204, None)
        )
        assert self.ask("PATCH", f"/{key}", row) == expected

    @rule(named=st.sets(keys, max_size=3), row=changes)
    def update_by_keys(self, named: set[int], row: Row) -> None:
        """The same change of several rows."""
        self._updated([(key, row) for key in sorted(named)], {"keys": sorted(named), "data": row})

    @rule(narrowing=narrowings, row=changes)
    def update_by_query(self, narrowing: Narrowing, row: Row) -> None:
        """The same change of every row that a filter finds."""
        found = [each["id"] for each in self.model.fitting(narrowing)]
        self._updated([(key, row) for key in found], {"query": {"filter": narrowing.told}, "data": row})

    @rule(rows=st.dictionaries(keys, changes, max_size=3))
    def update_each(self, rows: Mapping[int, Row]) -> None:
        """Each row with its own change, in the order in which they are sent."""
        self._updated(list(rows.items()), [{**row, "id": key} for key, row in rows.items()])

    def _updated(self, changed: Sequence[tuple[int, Row]], body: Any) -> None:
        expected = self.model.update(changed, self.now())
        status, told = self.ask("PATCH", body=body)
        if expected is None:
            assert (status, told) == (400, "RECORD_NOT_UNIQUE")
        else:
            assert (status, sorted(told["data"], key=lambda row: row["id"])) == (200, expected)

    @rule(key=keys)
    def delete(self, key: int) -> None:
        """One row, whether it is there or not."""
        self.model.rows.pop(key, None)
        assert self.ask("DELETE", f"/{key}") == (204, None)

    @rule(named=st.lists(keys, min_size=1, max_size=3), bare=st.booleans())
    def delete_by_keys(self, named: list[int], bare: bool) -> None:
        """Several rows."""
        for key in named:
            self.model.rows.pop(key, None)
        assert self.ask("DELETE", body=named if bare else {"keys": named}) == (204, None)

    @rule(narrowing=narrowings)
    def delete_by_query(self, narrowing: Narrowing) -> None:
        """Every row that a filter finds."""
        for row in self.model.fitting(narrowing):
            del self.model.rows[row["id"]]
        assert self.ask("DELETE", body={"query": {"filter": narrowing.told}}) == (204, None)

    @rule(
        method=st.sampled_from(["POST", "PATCH", "DELETE"]), key=keys, token=st.sampled_from([READER_TOKEN, "nobody's"])
    )
    def intrude(self, method: str, key: int, token: str) -> None:
        """Who may not write is refused, and nothing changes."""
        path, body = (
            ("", {"ref": "z"}) if method == "POST" else (f"/{key}", {"nombre": "z"} if method == "PATCH" else None)
        )
        status, code = self.ask(method, path, body, token)
        assert (status, code) == ((403, "FORBIDDEN") if token == READER_TOKEN else (401, "INVALID_CREDENTIALS"))

    @rule(asked=pages, in_body=st.booleans())
    def read(self, asked: Asked, in_body: bool) -> None:
        """A page of what fits, with both counts; over GET or SEARCH."""
        answer = self.ask("SEARCH", body={"query": asked.query}) if in_body else self.ask("GET", **asked.query)
        assert answer == (200, asked.answer(self.model))

    @rule(key=keys, token=st.sampled_from([ADMIN_TOKEN, READER_TOKEN]))
    def read_one(self, key: int, token: str) -> None:
        """One row by its id; what is not there is told as what may not be read."""
        row = self.model.rows.get(key)
        assert self.ask("GET", f"/{key}", token=token) == ((200, {"data": row}) if row else (403, "FORBIDDEN"))

    @rule()
    def keep(self) -> None:
        """Take a snapshot."""
        self.kept = (self.on_the_loop(self.fake.snapshot), copy.deepcopy(self.model))

    @rule()
    def bring_back(self) -> None:
        """Go back to the snapshot."""
        state, model = self.kept
        self.on_the_loop(lambda: self.fake.restore(state))
        self.model = copy.deepcopy(model)

    @invariant()
    def everybody_reads_what_was_written(self) -> None:
        """The whole collection is the model's, for a reader too."""
        if hasattr(self, "fake"):
            rows = [self.model.rows[key] for key in sorted(self.model.rows)]
            assert self.ask("GET", token=READER_TOKEN, limit=-1) == (200, {"data": rows})

    def teardown(self) -> None:
        """Close it."""
        if hasattr(self, "runner"):
            self.runner.run(self.http.aclose())
            self.runner.close()


TestTagStore = TagStore.TestCase
TestTagStore.settings = settings(max_examples=settings().max_examples // 4, stateful_step_count=15)


@contextmanager
def never_undone(store: Store) -> Iterator[None]:
    """A transaction that keeps what was written before the mistake."""
    yield


BUGS: Mapping[str, tuple[str, Any]] = {
    "half a batch stays when the rest is refused": ("store.Store.transaction", never_undone),
    "a refused row costs no id in PostgreSQL": ("store.Store.skip_ids", lambda store, name, count: None),
    "a restored collection keeps its rows": ("store.Store.copy", lambda store, other: None),
    "nobody is stamped": ("writes.Writes._instant", lambda writes, value, *, stamped: None),
    "a phrase finds everything": ("items.search_filter", lambda text, collection, visible: AllOf()),
}


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_of_the_store_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search = settings(
        phases=[Phase.generate], database=None, derandomize=True, max_examples=300, stateful_step_count=15
    )
    place, wrong = BUGS[bug]
    monkeypatch.setattr(f"tzzr_mocks.hst.{place}", wrong)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(TagStore, settings=search)
