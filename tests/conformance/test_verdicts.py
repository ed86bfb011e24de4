"""Which failures of the conformance suite are excused."""

from __future__ import annotations

from tests.conformance.suite import REVISIONS
from tests.conformance.verdicts import complaints, expectations

SCENARIOS = {"ping", "caching"}


def test_what_fails_without_a_reason_is_told() -> None:
    assert complaints("r", ["ping:a"], SCENARIOS, {}) == [
        "r: ping:a does not pass, and expected_failures.yaml does not say why"
    ]


def test_a_scenario_or_a_check_is_excused_by_its_entry() -> None:
    expected = {"r": {"ping": "no wire", "caching:ttl": "no cache"}}

    assert complaints("r", ["ping:a", "ping:b", "caching:ttl"], SCENARIOS, expected) == []
    assert len(complaints("r", ["ping:a", "caching:ttl", "caching:scope"], SCENARIOS, expected)) == 1


def test_an_entry_that_passes_is_stale() -> None:
    expected = {"r": {"ping": "no wire", "caching:ttl": "no cache"}}

    assert complaints("r", ["ping:a"], SCENARIOS, expected) == [
        "r: caching:ttl passes now; remove it from expected_failures.yaml"
    ]


def test_an_entry_of_no_scenario_is_told() -> None:
    assert "no scenario of this set" in complaints("r", [], SCENARIOS, {"r": {"pong": "a slip"}})[0]


def test_an_entry_needs_a_reason() -> None:
    assert complaints("r", ["ping:a"], SCENARIOS, {"r": {"ping": " "}}) == [
        "r: ping has no reason; write one, or mend the server"
    ]


def test_the_file_names_the_frozen_sets_and_no_other() -> None:
    assert set(expectations()) == set(REVISIONS)
