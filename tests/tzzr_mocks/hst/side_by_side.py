"""Fires generated queries at a real Directus with the recorded rows and at the fake, and says where they differ.

Run: ``python -m tests.tzzr_mocks.hst.side_by_side http://127.0.0.1:8055 [--count 2000] [--seed 7]``. Only reads, as
the recorded reader. Ends with 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

import httpx
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.tzzr_mocks.hst.asking import TOKENS, make_fake
from tzzr_mocks.hst import HstFake
from tzzr_mocks.hst.conformance.cases import Case
from tzzr_mocks.hst.conformance.in_process import ask
from tzzr_mocks.hst.conformance.slots import Slots
from tzzr_mocks.hst.conformance.verdict import Sent
from tzzr_mocks.network.virtual import new_virtual_loop

Json = Any

TEXT_FIELDS = ("ref", "nombre", "nombre_en", "descripcion", "grupo", "padre")
INTEGER_FIELDS = ("id", "nivel", "orden")
FIELDS = (*TEXT_FIELDS, *INTEGER_FIELDS, "activo", "metadatos", "date_created", "date_updated")
COLLECTIONS = ("tags_hst", "tags_spe", "tags_flg")

texts = st.sampled_from(
    ["a", "A", "España", "peña", "PEÑA", "ñ", "%", "_", "100%", "A_B", "'", '"', "\\", "HST-0003", "spe_", "ES", "abaco",
     "  con", "null", "true", "123", "0123", "[1,2]", "coma, y punto", "Europa", "nada", "🎉", "de la", "á", "Á"]
)  # fmt: skip
integers = st.sampled_from([-10, -1, 0, 1, 2, 3, 5, 50, 100, 109, 638, 99999])
dates = st.sampled_from(
    ["2019-06-01", "2022", "2023-08-28T16:29:24Z", "2021-01-01T00:00:00+02:00", "$NOW", "$NOW(-1 year)"]
)
names = st.sampled_from(FIELDS)
sortable = st.sampled_from([*FIELDS, "year(date_created)"])
columns = st.sampled_from(
    [*FIELDS, "*", "year(date_created)", "month(date_updated)", "count(metadatos)", "json(metadatos, color)", "padre.x"]
)
odd = st.sampled_from(["nope", "", "x.y", "foo(id)", "year(nombre)", "*.*"])


def _pairs(operators: str, values: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.tuples(st.sampled_from(operators.split()), values).map(lambda pair: {pair[0]: pair[1]})


_text = st.one_of(
    _pairs("_eq _neq _contains _ncontains _icontains _starts_with _nstarts_with _istarts_with _nistarts_with", texts),
    _pairs("_ends_with _nends_with _iends_with _niends_with", texts),
    _pairs("_in _nin", st.lists(texts | st.none(), min_size=1, max_size=3)),
    _pairs("_null _nnull _empty _nempty", st.booleans()),
)
_integer = st.one_of(
    _pairs("_eq _neq _lt _lte _gt _gte", integers),
    _pairs("_in _nin", st.lists(integers | st.none(), min_size=1, max_size=3)),
    _pairs("_between _nbetween", st.lists(integers, min_size=1, max_size=3)),
    _pairs("_null _nnull", st.booleans()),
)
_date = st.one_of(
    _pairs("_eq _lt _lte _gt _gte", dates),
    _pairs("_between _nbetween", st.lists(dates, min_size=2, max_size=2)),
    _pairs("_null _nnull", st.booleans()),
)
_boolean = _pairs("_eq _neq _null _nnull", st.booleans())
_leaves = st.one_of(
    st.tuples(st.sampled_from(TEXT_FIELDS), _text),
    st.tuples(st.sampled_from(INTEGER_FIELDS), _integer),
    st.tuples(st.sampled_from(["date_created", "date_updated"]), _date),
    st.tuples(st.just("activo"), _boolean),
    st.tuples(st.just("metadatos"), _pairs("_null _nnull", st.booleans())),
    st.tuples(st.just("year(date_created)"), _pairs("_eq _gt _lte", st.sampled_from([2019, 2022, 2024]))),
    st.tuples(st.sampled_from(["nope", "padre", "orden", "metadatos"]), _text | _integer),
).map(lambda pair: {pair[0]: pair[1]})
filters = st.recursive(
    _leaves,
    lambda inner: st.tuples(st.sampled_from(["_and", "_or"]), st.lists(inner, min_size=1, max_size=3)).map(
        lambda pair: {pair[0]: pair[1]}
    ),
    max_leaves=5,
)
_listed = st.lists(columns | odd, min_size=1, max_size=4).map(",".join)
_sorted = st.lists(st.tuples(st.sampled_from(["", "-"]), sortable | odd).map("".join), min_size=1, max_size=2).map(
    ",".join
)
_figures = st.dictionaries(
    st.sampled_from(["count", "countDistinct", "sum", "avg", "min", "max"]),
    st.lists(st.sampled_from(["*", "id", "orden", "nivel", "grupo", "date_created"]), min_size=1, max_size=1),
    min_size=1,
    max_size=2,
)
queries: st.SearchStrategy[dict[str, Json]] = st.fixed_dictionaries(
    {},
    optional={
        "fields": _listed,
        "filter": filters,
        "sort": _sorted,
        "limit": st.sampled_from(["0", "1", "5", "-1", "-2", "x", "", "1e1"]),
        "offset": st.sampled_from(["0", "3", "1000", "-1"]),
        "page": st.sampled_from(["0", "1", "2", "99"]),
        "search": texts | integers.map(str),
        "meta": st.sampled_from(["*", "total_count", "filter_count,total_count", "x"]),
        "aggregate": _figures,
        "groupBy": st.lists(
            st.sampled_from(["grupo", "nivel", "activo", "year(date_created)", "nope"]), min_size=1, max_size=2
        ).map(",".join),
    },
)


def brackets(name: str, value: Json) -> list[tuple[str, str]]:
    """A nested value in bracket notation."""
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in brackets(f"{name}[{key}]", item)]
    if isinstance(value, list):
        return [pair for place, item in enumerate(value) for pair in brackets(f"{name}[{place}]", item)]
    return [(name, value if isinstance(value, str) else json.dumps(value))]


def encoded(query: dict[str, Json], *, in_json: bool) -> str:
    """A query string, nested values in JSON or in brackets."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        plain = isinstance(value, str)
        pairs += (
            [(name, value if plain else json.dumps(value, ensure_ascii=False))]
            if plain or in_json
            else brackets(name, value)
        )
    return "&".join(f"{quote(name, safe='[]')}={quote(value, safe='')}" for name, value in pairs)


@dataclass
class Comparison:
    """Both servers, and what they did not agree on."""

    base: str
    client: httpx.Client
    fake: HstFake
    runner: asyncio.Runner
    asked: int = 0
    told: list[str] = field(default_factory=list)

    def compare(self, path: str, query: str) -> None:
        """Ask both."""
        case = Case("00_side-000", "default", "reader", {"method": "GET", "path": path, "query": query}, {})
        slots = Slots(TOKENS)
        headers = {**case.headers(slots), "accept-encoding": "identity"}
        real = self._real(httpx.URL(f"{self.base}{path}?{query}"), headers)
        ours: Sent = self.runner.run(ask(self.fake.app, case, slots))
        self.asked += 1
        if (real.status_code, real.content) != (ours.status, ours.content):
            self.told.append(
                f"{path}?{unquote(query)}\n   real {real.status_code} {real.text[:300]}\n"
                f"   fake {ours.status} {ours.content.decode()[:300]}"
            )

    def _real(self, url: httpx.URL, headers: dict[str, str]) -> httpx.Response:
        """The real answer; a server under pressure is asked again."""
        for _ in range(50):
            answer = self.client.get(url, headers=headers)
            if answer.status_code != 503:
                break
        return answer


def run(comparison: Comparison, count: int, chosen: int) -> None:
    """Ask so many generated queries of both."""

    @seed(chosen)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(COLLECTIONS), queries, st.booleans())
    def fire(collection: str, query: dict[str, Json], in_json: bool) -> None:
        comparison.compare(f"/items/{collection}", encoded(query, in_json=in_json))

    fire()


def main() -> None:
    """Read the options, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="where the real Directus is")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner, httpx.Client(timeout=60) as client:
        comparison = Comparison(options.base, client, make_fake(), runner)
        run(comparison, options.count, options.seed)
    print("\n".join(comparison.told[: options.show]))
    print(f"{len(comparison.told)} differences in {comparison.asked} queries, seed {options.seed}")
    sys.exit(bool(comparison.told))


if __name__ == "__main__":
    main()
