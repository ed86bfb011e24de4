"""Ten planted bugs, one at a time: the property tests notice each within a minute."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.property.planted import BUGS, SEARCHED

FOLDER = Path(__file__).parent
BUDGET_S = 60.0
"""Seconds of the processor's time for one bug."""


@dataclass(frozen=True)
class Run:
    """The property tests run once: exit code, who failed, seconds of the processor's time, and all that was printed."""

    code: int
    found_by: str
    seconds: float
    text: str


def run(*options: str) -> Run:
    """The property tests in a process of their own, up to the first failure."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pytest", str(FOLDER), "-q", "-x", "-p", "no:cacheprovider", *options]
    # What the first failure is, is enough: nobody waits for the smallest example.
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "planted"}
    ended = subprocess.run(command, cwd=FOLDER.parents[1], env=environment, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    failed = re.search(r"^(?:FAILED|ERROR) \S+?(test_\S+)", ended.stdout, re.MULTILINE)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(ended.returncode, failed[1] if failed else "", seconds, ended.stdout + ended.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found_by_a_property_within_a_minute(name: str) -> None:
    found = run("-p", "tests.property.planted", "--bug", name, "-k", SEARCHED[BUGS[name].part])
    print(f"| {BUGS[name].part} | {BUGS[name].told} | `{found.found_by}` | {found.seconds:.0f} s |")

    assert found.code == pytest.ExitCode.TESTS_FAILED, f"no property notices that {BUGS[name].told}\n{found.text}"
    assert found.found_by
    assert found.seconds < BUDGET_S, found.text


@pytest.mark.slow
def test_without_a_bug_all_properties_hold() -> None:
    whole = run("-p", "tests.property.planted", "-k", " or ".join(SEARCHED.values()))
    assert whole.code == pytest.ExitCode.OK, whole.text


def test_ten_bugs_are_planted_in_each_of_the_three_parts() -> None:
    assert len({bug.told for bug in BUGS.values()}) == 10
    assert min(Counter(bug.part for bug in BUGS.values()).values()) >= 3
    assert {bug.part for bug in BUGS.values()} == {"translation", "client", "fakes"}
