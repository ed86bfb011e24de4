"""Each fault's docstring is its page: what it does, who saw it, one YAML line that works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.tzzr_mocks.small import plan_of
from tzzr_mocks import faults
from tzzr_mocks.control import Fault
from tzzr_mocks.control.fault import KINDS
from tzzr_mocks.world import World

SHARED = sorted(name for name, kind in KINDS.items() if kind.__module__.startswith("tzzr_mocks.faults."))
FOLDER = Path(faults.__file__).parent


def test_there_are_the_eleven_wire_faults_of_a_network() -> None:
    wire = {name for name in SHARED if KINDS[name].point == "wire"}

    assert wire == {
        "connection_refused", "dns_failure", "tls_failure", "reset_before_headers", "reset_in_body", "hang_in_body",
        "hang_before_headers", "truncated_body", "slow_drip", "connect_timeout", "pool_exhausted",
    }  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_a_fault_is_one_file_of_its_name_and_is_exported(name: str) -> None:
    kind = KINDS[name]

    assert kind.__module__ == f"tzzr_mocks.faults.{name}"
    assert (FOLDER / f"{name}.py").is_file()
    assert kind.__name__ in faults.__all__


@pytest.fixture(scope="module")
def world() -> World:
    """A world whose plan the pages' lines are added to."""
    return World()


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_page_of_a_fault_tells_who_saw_it_and_its_line_says_it(name: str, world: World) -> None:
    page = KINDS[name].__doc__ or ""
    found = re.search(r"YAML: ``(- .+)``", page)

    assert "Seen " in page
    assert found, f"{name} has no YAML line"
    [line] = yaml.safe_load(found[1])
    world.plan.clear()
    assert world.plan.add(line).fault.kind == name


@pytest.mark.parametrize("name", SHARED)
def test_the_bare_name_is_a_legal_rule(name: str) -> None:
    service = "grace"

    assert plan_of().add(f"{service}: {name}").fault == KINDS[name]()


def test_two_faults_of_one_name_are_refused_when_the_second_is_defined() -> None:
    with pytest.raises(TypeError, match="two faults are called 'status'"):
        type("Other", (Fault,), {"kind": "status"})


def test_a_sentence_shows_only_what_is_not_default() -> None:
    assert KINDS["status"]().sentence() == "status"
    assert plan_of().add("grace: status status=502").fault.sentence() == "status status=502"
