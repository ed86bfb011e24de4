"""Fires generated queries at a real Directus with the recorded rows and at the fake, and says where they differ.

Run: ``python -m tests.tzzr_mocks.hst.side_by_side http://127.0.0.1:8055 [--count 2000] [--seed 7]``. Only reads, as
the recorded reader. Ends with 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

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
from tzzr_scenarios.strategies.queries import COLLECTIONS, encoded, nearly_valid

Json = Any


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
    @given(st.sampled_from(COLLECTIONS), nearly_valid(), st.booleans())
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
