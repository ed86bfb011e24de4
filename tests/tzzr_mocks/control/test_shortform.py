from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.tzzr_mocks.small import expect_refusal, plan_of
from tzzr_mocks.control import FaultRule, PlanError


@pytest.mark.parametrize(
    ("sentence", "match", "effect", "schedule"),
    [
        ("grace: OCR_LOCAL is down", {"module": "OCR_LOCAL"}, {"kind": "module_down", "seconds": 0.0}, {}),
        ("grace: first 2 calls fail with 503", {}, {"kind": "status", "status": 503}, {"first": 2}),
        (
            "grace: first call to OCR_CORE fails with 503",
            {"module": "OCR_CORE"},
            {"kind": "status", "status": 503},
            {"first": 1},
        ),
        ("hst: every call takes 3s", {}, {"kind": "latency", "seconds": 3.0, "jitter": 0.0}, {}),
        ("hst: every 3rd call takes 250ms", {}, {"kind": "latency", "seconds": 0.25, "jitter": 0.0}, {"every": 3}),
        (
            "grace: OCR_GROQ fails with RATE_LIMITED",
            {"module": "OCR_GROQ"},
            {"kind": "module_error", "code": "RATE_LIMITED", "message": "planned failure", "seconds": 0.0},
            {},
        ),
        ("hst: 2nd call is refused", {}, {"kind": "connection_refused"}, {"nth": 2}),
        ("grace: reset_in_body", {}, {"kind": "reset_in_body", "after": 1}, {}),
        ("grace: reset in body after=7", {}, {"kind": "reset_in_body", "after": 7}, {}),
        ("grace: down", {}, {"kind": "connection_refused"}, {}),
        ("grace: POST /run fails with 502", {"route": "POST /run"}, {"kind": "status", "status": 502}, {}),
        (
            "grace: calls to /run fail with 502 3 times",
            {"route": "/run"},
            {"kind": "status", "status": 502},
            {"first": 3},
        ),
        (
            "grace: module_down for tool ocr after 30s until 2m",
            {"module": "OCR_CORE"},
            {"kind": "module_down", "seconds": 0.0},
            {"after": 30.0, "until": 120.0},
        ),
        (
            "grace: HASHER takes 1m 50% of the time",
            {"module": "HASHER"},
            {"kind": "module_slow", "seconds": 60.0},
            {"probability": 0.5},
        ),
        (
            "context: every call fails with 500 once per key",
            {},
            {"kind": "status", "status": 500},
            {"once_per_key": True},
        ),
        (
            "grace: calls are rate limited for 30s",
            {},
            {"kind": "rate_limited", "retry_after": 30.0, "as_date": False},
            {},
        ),
    ],
)
def test_a_sentence_expands_to_the_long_form(
    sentence: str, match: dict[str, Any], effect: dict[str, Any], schedule: dict[str, Any]
) -> None:
    rule = plan_of().add(sentence)
    long = rule.as_json()

    service = sentence.partition(":")[0]
    assert long["match"] == {"service": service, **match}
    assert (long["effect"], long["schedule"], long["optional"]) == (effect, schedule, False)
    assert long["sentence"] == sentence


def test_a_mapping_with_one_service_is_a_sentence() -> None:
    assert plan_of().add({"grace": "OCR_LOCAL is down"}).text == "grace: OCR_LOCAL is down"


def test_optional_is_a_qualifier() -> None:
    assert plan_of().add("grace: OCR_LOCAL is down optional").optional


def test_a_module_named_first_means_the_module_and_a_call_means_the_reply() -> None:
    plan = plan_of()

    assert plan.add("grace: OCR_CORE takes 3s").fault.kind == "module_slow"
    assert plan.add("grace: calls to OCR_CORE take 3s").fault.kind == "latency"


def test_an_effect_that_no_module_has_falls_to_the_calls_that_address_it() -> None:
    rule = plan_of().add("grace: OCR_CORE fails with 503")

    assert (rule.fault.kind, rule.match.module) == ("status", "OCR_CORE")


@pytest.mark.parametrize(
    ("sentence", "column", "suggestion"),
    [
        ("gracee: OCR_LOCAL is down", 1, "grace"),
        ("grace: OCR_LOCL is down", 8, "OCR_LOCAL"),
        ("grace: calls to OCR_LOCL fail", 17, "OCR_LOCAL"),
        ("grace: OCR_LOCAL is dwn", 18, "is down"),
        ("grace: OCR_GROQ fails with RATE_LIMITD", 28, "RATE_LIMITED"),
        ("grace: first call to POST /rum fails", 27, "POST /run"),
        ("grace: OCR_LOCAL is down untl 3s", 26, "until"),
        ("grace: latency secnds=3", 16, "seconds"),
        ("grace: module_down for tool ocrr", 29, "ocr"),
    ],
)
def test_a_mistake_is_told_with_its_column_and_the_nearest_name(sentence: str, column: int, suggestion: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_of().add(sentence)

    assert (caught.value.column, caught.value.suggestion) == (column, suggestion)
    assert caught.value.text == sentence


@pytest.mark.parametrize("sentence", ["", "grace", "grace:", "grace: ", ": is down"])
def test_what_is_no_sentence_is_refused_with_an_example(sentence: str) -> None:
    with expect_refusal("SERVICE: WHAT HAPPENS", "grace: OCR_LOCAL is down"):
        plan_of().add(sentence)


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("grace: calls fail with 200", "400 to 599"),
        ("grace: first 0 calls fail", "the least is 1"),
        ("grace: calls fail after 3 parsecs", "unknown qualifier 'parsecs'"),
        ("grace: calls fail after soon", "is not a duration"),
        ("grace: calls fail after 9s until 3s", "conflicting schedules"),
        ("grace: 2nd call fails 3 times", "conflicting schedules"),
        ("grace: latency seconds=-1", "is not a duration"),
        ("hst: calls fail with probability", "ends too early"),
    ],
)
def test_what_could_never_be_is_refused(sentence: str, part: str) -> None:
    with expect_refusal(part):
        plan_of().add(sentence)


@given(st.text(max_size=60))
@example("OCR_LOCAL is down")
def test_no_text_is_anything_but_a_rule_of_the_plan_or_an_error_at_a_place_in_it(text: str) -> None:
    plan, sentence = plan_of(), f"grace: {text}"
    added: list[FaultRule] = []
    refusal = PlanError("none")
    try:
        added.append(plan.add(sentence))
    except PlanError as error:
        refusal = error
    assert plan.rules == added
    assert refusal.text in ("", sentence)
    assert refusal.column <= len(refusal.text) + 1


_SUBJECTS = st.sampled_from(
    [
        "",
        "OCR_LOCAL",
        "POST /run",
        "first 2 calls",
        "2nd call to OCR_CORE",
        "every 3rd call to /run",
        "calls to tool ocr",
    ]
)
_EFFECTS = st.sampled_from(
    [
        "is down",
        "fails",
        "fails with 502",
        "fails with INTERNAL",
        "takes 3s",
        "is reset",
        "drips",
        "reset in body after=2",
    ]
)
_QUALIFIERS = st.sampled_from(
    ["optional", "for OCR_GROQ", "after 3s", "until 1m", "50% of the time", "once per key", "2 times", "on /run"]
)


@given(_SUBJECTS, _EFFECTS, st.lists(_QUALIFIERS, max_size=3, unique=True))
def test_a_sentence_that_is_accepted_says_the_same_in_long_form(subject: str, effect: str, more: list[str]) -> None:
    rule: FaultRule | None = None
    with suppress(PlanError):
        rule = plan_of().add(f"grace: {subject} {effect} {' '.join(more)}")
    assume(rule)
    assert rule is not None
    again = plan_of().add(rule.as_json())

    assert (again.match, again.fault, again.schedule) == (rule.match, rule.fault, rule.schedule)
