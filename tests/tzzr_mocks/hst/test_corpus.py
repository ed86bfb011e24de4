"""The fake answers every recorded request as the real Directus did: status, body, order, headers.

What it cannot is listed in ``tests/golden/directus/not_covered.yaml``, with reasons.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import yaml

from tests.tzzr_mocks.hst.replay import FOLDER, all_cases, postgres_cases, recorded_seams, report
from tzzr_mocks.hst.conformance.cases import Case, read_tokens
from tzzr_mocks.hst.conformance.compare import differences
from tzzr_mocks.hst.conformance.groups import GROUPS
from tzzr_mocks.hst.conformance.in_process import replay
from tzzr_mocks.hst.conformance.verdict import Difference, Sent, Verdict

CASES = all_cases()
NOT_COVERED: dict[str, list[dict[str, list[str]]]] = yaml.safe_load((FOLDER / "not_covered.yaml").read_text("utf-8"))


def excused(dialect: str) -> set[str]:
    return {case for entry in NOT_COVERED[dialect] for case in entry["cases"]}


def unexpected(verdicts: list[Verdict], allowed: set[str]) -> str:
    """Both kinds of surprise: a case that differs without excuse, an excuse for a case that matches."""
    wrong = [verdict for verdict in verdicts if verdict.differences and verdict.case.id not in allowed]
    idle = sorted(verdict.case.id for verdict in verdicts if not verdict.differences and verdict.case.id in allowed)
    told = report(wrong, 5) if wrong else ""
    return told + (f"\nlisted as not covered, but matching: {idle}" if idle else "")


@pytest.mark.parametrize("group", sorted(GROUPS))
async def test_every_case_of_a_group_is_answered_as_recorded(group: str) -> None:
    cases = [case for case in CASES if case.group == group]
    verdicts = await replay(cases, read_tokens(), recorded_seams())
    assert verdicts
    assert unexpected(verdicts, excused("sqlite")) == ""


async def test_the_postgres_dialect_answers_as_recorded_there() -> None:
    verdicts = await replay(postgres_cases(), read_tokens(), recorded_seams(), "postgres")
    failing = {verdict.case.id for verdict in verdicts if verdict.differences}
    assert unexpected(verdicts, excused("postgres") | (excused("sqlite") & failing)) == ""


def test_at_most_one_case_in_twenty_is_not_covered() -> None:
    known = {case.id for case in CASES}
    assert excused("sqlite") <= known
    assert len(excused("sqlite")) <= len(CASES) / 20
    assert len(excused("postgres")) <= len(postgres_cases()) / 20


def test_every_settings_group_of_the_corpus_is_replayed() -> None:
    assert {case.group for case in CASES} == set(GROUPS)


def _verdict_on(case: Case, content: bytes, status: int = 200) -> list[Difference]:
    return differences(case.response, Sent(status, dict(case.response["headers"]), content))


@pytest.fixture
def recorded() -> Case:
    return next(case for case in CASES if case.id == "03_fields-001")


def test_the_comparison_takes_the_recorded_answer(recorded: Case) -> None:
    assert _verdict_on(recorded, json.dumps(recorded.response["json"]).encode()) == []


def test_the_comparison_sees_another_status_body_order_and_header(recorded: Case) -> None:
    rows = recorded.response["json"]["data"]
    right = json.dumps({"data": rows}).encode()
    assert _verdict_on(recorded, right, status=201)
    assert _verdict_on(recorded, json.dumps({"data": rows[::-1]}).encode())
    assert _verdict_on(recorded, b"")
    other = replace(recorded, response={**recorded.response, "headers": {"vary": "Accept"}})
    assert "vary" in {difference.part for difference in differences(other.response, Sent(200, {}, right))}


def test_the_comparison_sees_one_changed_row_among_hundred() -> None:
    case = next(case for case in CASES if case.id == "07_paging-001")
    rows = [{"id": number} for number in range(1, 101)]
    assert _verdict_on(case, json.dumps({"data": rows}).encode()) == []
    rows[50]["id"] = 1000
    assert _verdict_on(case, json.dumps({"data": rows}).encode())
