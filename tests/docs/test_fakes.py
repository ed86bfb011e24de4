"""What the page about the fakes says, they do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs.blocks import blocks
from tests.tzzr_mocks.served.desktop import desktop
from tzzr_mocks.control import journal
from tzzr_mocks.world import World

PAGE = Path(__file__).parents[2] / "docs" / "fakes.md"
RULES = [line for block in blocks(PAGE, "faults") for line in block.splitlines()]


@pytest.fixture(scope="module")
def world() -> World:
    """A world whose plan the page's rules are added to."""
    return World()


def test_the_program_prints_what_the_page_says() -> None:
    [program], [printed] = blocks(PAGE, "python"), blocks(PAGE, "text")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == printed


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_of_the_page_is_one(rule: str, world: World) -> None:
    assert world.plan.add(rule).sentence() == rule


def test_the_long_form_of_the_page_is_one(world: World) -> None:
    [long] = blocks(PAGE, "yaml")
    rule = world.plan.add(yaml.safe_load(long))

    assert (rule.match.module, rule.schedule.after, rule.optional) == ("OCR_CORE", 30.0, True)


def test_the_script_of_the_page_is_one_and_does_what_its_remarks_say(world: World) -> None:
    [script] = blocks(PAGE, "model")
    world.llm.follow(yaml.safe_load(script))
    rules = world.llm.script or ()

    assert [rule.when.question for rule in rules] == ["factura", None]
    assert [[*tools] for round_ in rules[0].rounds for tools in round_] == [["ocr"], ["extraer_campos"]]


async def test_the_page_names_every_request_of_the_control_plane_and_no_other() -> None:
    named = {f"/{path}" for path in re.findall(r"/__tzzr/([\w/{}]+)(?!\.json)[`?]", PAGE.read_text("utf-8"))}
    async with desktop() as desk:
        described = (await desk.control.get("/openapi.json")).json()["paths"]

    assert named == set(described)


def test_the_limits_are_those_of_the_page() -> None:
    text = PAGE.read_text("utf-8")

    assert f"keeps {journal.BODY_CAP // 1024} KiB" in text
    assert f"last {journal.LENGTH_CAP:,} exchanges" in text
