"""How replies are held against recorded ones: what is told of a difference, and what other rows may change."""

from __future__ import annotations

import json

import pytest

from tests.tzzr_mocks.hst.replay import all_cases
from tzzr_mocks.hst.conformance.cases import Case, read_cases
from tzzr_mocks.hst.conformance.compare import other_form
from tzzr_mocks.hst.conformance.parts import apart
from tzzr_mocks.hst.conformance.verdict import Sent

CASES = all_cases()


@pytest.fixture
def recorded() -> Case:
    return next(case for case in CASES if case.id == "03_fields-001")


def test_the_cases_of_the_package_change_nothing_and_need_no_settings() -> None:
    packaged = read_cases()
    assert len(packaged) > 800
    assert all(case.read_only and case.group == "default" for case in packaged)


def test_a_leaf_that_differs_is_named_by_its_path() -> None:
    recorded = {"data": [{"id": 1, "activo": True}, {"id": 2, "activo": None}]}
    came = {"data": [{"id": 1, "activo": 1}, {"id": 2}]}
    assert [str(difference) for difference in apart(recorded, came, "json")] == [
        "json.data[0].activo 1, recorded true",
        "json.data[1].activo (nothing), recorded null",
    ]


def test_a_list_of_another_length_is_told_with_the_first_item_that_differs() -> None:
    found = apart([1, 2, 3, 4], [1, 3, 4], "json")
    assert [str(difference) for difference in found] == ["json.length 3, recorded 4", "json[1] 3, recorded 2"]


def test_other_rows_are_of_the_same_form_and_another_kind_or_key_is_not(recorded: Case) -> None:
    def told(rows: list[dict[str, object]]) -> list[str]:
        sent = Sent(200, dict(recorded.response["headers"]), json.dumps({"data": rows}).encode())
        return [difference.part for difference in other_form(recorded.response, sent)]

    assert told([{"id": 7, "ref": "another"}]) == told([]) == told([{"id": 7, "ref": None}]) == []
    assert told([{"id": 7, "ref": 7}]) == ["json.data[0].ref"]
    assert told([{"id": 7, "reference": "x"}]) == ["json.data[0].ref", "json.data[0].reference"]


def test_a_refusal_is_compared_word_for_word_whatever_the_rows() -> None:
    case = next(case for case in CASES if case.response["status"] == 403)
    error = case.response["json"]["errors"][0]
    other = json.dumps({"errors": [{**error, "message": "No."}]}).encode()
    found = other_form(case.response, Sent(403, dict(case.response["headers"]), other))
    assert [difference.part for difference in found] == ["json.errors[0].message"]
