from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from tzzr_mocks.control import Match, Occasion, Point
from tzzr_mocks.control.match import at_pointer

OCCASION = Occasion(
    Point.REPLY, "grace", "POST", "/v2/e1/run", "POST /run", "OCR_CORE", "t1", "k1", "e1",
    b'{"input":{"lang":"es","pages":[1,2]}}', 2,
)  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"service": "grace"},
        {"route": "POST /run"},
        {"route": "/run"},
        {"module": "OCR_CORE", "attempt": 2, "endpoint": "e1"},
        {"contains": '"lang":"es"'},
        {"body": {"/input/lang": "es", "/input/pages/1": 2}},
    ],
)
def test_what_holds_fits(given: dict[str, Any]) -> None:
    assert Match(**given).fits(OCCASION)


@pytest.mark.parametrize(
    "given",
    [
        {"service": "hst"},
        {"route": "GET /run"},
        {"route": "/rum"},
        {"module": "OCR_CORE", "attempt": 1},
        {"contains": "fr"},
        {"body": {"/input/lang": "fr"}},
        {"body": {"/input/pages/2": 3}},
        {"body": {"/input/lang/0": "e"}},
    ],
)
def test_what_differs_does_not_fit(given: dict[str, Any]) -> None:
    assert not Match(**given).fits(OCCASION)


def test_a_body_that_is_no_json_has_nothing_at_any_pointer() -> None:
    assert not Match(body={"/a": 1}).fits(Occasion(Point.REPLY, "grace", body=b"<html>"))


def test_pointers_escape_slash_and_tilde() -> None:
    assert at_pointer({"a/b": {"c~d": 1}}, "/a~1b/c~0d") == 1


def test_every_attribute_of_an_occasion_but_its_point_can_be_matched() -> None:
    matched = {part.name for part in fields(Match)}

    assert set(Occasion._fields) - {"point"} <= matched
