"""A service is read through the doors of ``tzzr conform grace``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tzzr_mocks.world import World
from tzzr_scenarios.conform.grace.door import Delivery, Line, Reply, RunPodDoor, Unreachable
from tzzr_scenarios.conform.grace.samples import Author
from tzzr_scenarios.quality.invoices.generator import samples
from tzzr_scenarios.quality.measure import measure_invoices
from tzzr_scenarios.quality.reader import EngineReader, ServiceReader


@dataclass
class Answers:
    """A door behind which everything is answered alike."""

    output: Any
    status: int = 200
    way: str = "http"

    async def deliver(self, request: Mapping[str, Any]) -> Delivery:
        return Delivery(Reply("curl", self.status, {}, b""), self.output)


async def test_the_fake_behind_its_queue_reads_as_its_engine_does() -> None:
    papers = list(samples(2, 5))
    async with World() as world, httpx.AsyncClient(transport=world.transport, timeout=3600) as client:
        line = Line(
            f"{world.environment['GRACE_BASE_URL']}/grace",
            client,
            world.seams.clock,
            world.environment["RUNPOD_API_KEY"],
        )
        reader = ServiceReader(line.base, RunPodDoor(line), Author(line.clock, world.seams.dice.named("quality")))
        through_the_queue = await measure_invoices(reader, papers)

    assert through_the_queue == await measure_invoices(EngineReader(), papers)
    assert reader.troubles == []


async def test_a_failure_is_nothing_read_and_told_by_its_code() -> None:
    async with World() as world:
        reader = ServiceReader(
            "http://grace", Answers({"failure": {"code": "MODULE_DOWN"}}), Author(world.seams.clock, world.seams.dice)
        )
        assert await reader.read("LANG_DETECT", "hola", {}) == {}

    assert reader.troubles == ["LANG_DETECT: MODULE_DOWN"]


async def test_an_engine_that_refuses_is_told_too() -> None:
    reader = EngineReader()

    assert await reader.read("CLASSIFIER", "hola", {"categories": ["una"]}) == {}
    assert reader.troubles[0].startswith("CLASSIFIER: PARAMS_INVALID")


@pytest.mark.parametrize(
    ("status", "told"), [(401, "opens nothing"), (404, "is --url the address that takes the POST?")]
)
async def test_who_does_not_let_us_in_is_not_measured_as_bad(status: int, told: str) -> None:
    async with World() as world:
        reader = ServiceReader("http://grace", Answers(None, status), Author(world.seams.clock, world.seams.dice))
        with pytest.raises(Unreachable, match=f"http://grace answers {status}: .*{told[:-1]}"):
            await reader.read("LANG_DETECT", "hola", {})
