"""The pytest plugin: the fixture ``tzzr``, and ``*.scenario.yaml`` files as items.

    @pytest.mark.tzzr(seed=7, faults=["grace: first 2 calls fail with 503"])
    async def test_the_assistant_waits(tzzr):
        async with tzzr.client() as client:
            ...
        tzzr.grace.saw("POST /run", times=3)

It is imported by every pytest run where it is installed, so it imports nothing of the world before a test asks for it.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tzzr_scenarios.collected import ScenarioFileNode
    from tzzr_scenarios.testing import Tzzr

FIXTURES = {"tzzr", "tzzr_world"}
SUFFIX = ".scenario.yaml"


def _later(module: str) -> Any:
    return importlib.import_module(f"tzzr_scenarios.{module}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--tzzr-seed``."""
    group = parser.getgroup("tzzr", "MCP server with faked upstreams")
    group.addoption("--tzzr-seed", type=int, default=None, help="seed of the worlds whose tests name none (default 7)")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    line = "tzzr(seed=7, faults=(), settings={}, starting='default'): the world that the fixture `tzzr` gives"
    config.addinivalue_line("markers", line)


@pytest.hookimpl(optionalhook=True, trylast=True)
def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Virtual time for the tests that use a world; any other keeps the loop it had."""
    if FIXTURES & set(getattr(item, "fixturenames", ())):
        return {"virtual": _later("testing").new_virtual_loop}
    return {"default": asyncio.new_event_loop}


@pytest.fixture
def tzzr(request: pytest.FixtureRequest) -> Iterator[Tzzr]:
    """A world with a server and clients, as the marker ``tzzr`` says it; the seed is printed with a failure."""
    marker = request.node.get_closest_marker("tzzr")
    options = dict(marker.kwargs) if marker else {}
    seed = request.config.getoption("--tzzr-seed")
    given: Tzzr = _later("testing").Tzzr(**{"seed": 7 if seed is None else seed, **options})
    request.node.user_properties.append(("tzzr seed", given.seed))
    yield given
    given.check()


@pytest.fixture
def tzzr_world(tzzr: Tzzr) -> Any:
    """The world alone: fakes, plan, journal, clock."""
    return tzzr.world


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Print the seed with a failure."""
    outcome: Any = yield
    report = outcome.get_result()
    seeds = [value for name, value in item.user_properties if name == "tzzr seed"]
    if report.failed and seeds:
        report.sections.append(("tzzr", f"seed {seeds[0]}; again with --tzzr-seed {seeds[0]}"))


def pytest_collect_file(file_path: Any, parent: pytest.Collector) -> ScenarioFileNode | None:
    """Collect ``*.scenario.yaml`` as tests."""
    if not file_path.name.endswith(SUFFIX):
        return None
    node: ScenarioFileNode = _later("collected").ScenarioFileNode.from_parent(parent, path=file_path)
    return node
