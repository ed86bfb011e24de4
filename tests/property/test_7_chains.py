"""Contract §7.7: for whatever fails along a chain, the contract says who answers (§2, §3)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.seed_tables import CHAINS
from tests.property.grace import READABLE, failing, grace
from tests.property.sides import side
from tzzr_mocks.faults.codes import GRACE_CODES, RETRYABLE

codes = st.none() | st.sampled_from(GRACE_CODES)


@pytest.mark.sides("the first answers", "a later one answers", "a failure ends it", "none is left")
@given(module=st.sampled_from(sorted(CHAINS)), drawn=st.tuples(codes, codes, codes))
def test_the_first_module_that_works_after_failures_that_may_go_on_answers(
    module: str, drawn: tuple[str | None, str | None, str | None]
) -> None:
    chain = CHAINS[module]
    planned = {name: code for name, code in zip(chain, drawn, strict=True) if code is not None}
    response = grace().answer(READABLE[module], [failing(name, code) for name, code in planned.items()])

    attempts = response["routing"]["attempts"]
    tried = [attempt["module"] for attempt in attempts]
    assert tried == list(chain[: len(tried)])
    for attempt in attempts:
        assert attempt.get("error", {}).get("code") == planned.get(attempt["module"])
        assert attempt["status"] == ("ERROR" if attempt["module"] in planned else "OK")
    _check_end(response, tried, planned, chain)


def _goes_on(code: str) -> bool:
    return code in RETRYABLE or code == "LOW_CONFIDENCE"


def _check_end(response: Any, tried: list[str], planned: dict[str, str], chain: tuple[str, ...]) -> None:
    *passed, last = tried
    resolved, status, failure = response["routing"]["resolved"], response["status"], response["failure"]
    assert all(_goes_on(planned[name]) for name in passed)
    if last not in planned:
        side("a later one answers" if passed else "the first answers")
        assert (resolved, status, failure) == (last, "DEGRADED" if passed else "OK", None)
        return
    assert (status, resolved, response["result"]) == ("ERROR", None, None)
    if _goes_on(planned[last]):
        side("none is left")
        assert (tried, failure["code"], failure["retryable"]) == (list(chain), "FALLBACK_EXHAUSTED", True)
    else:
        side("a failure ends it")
        assert (failure["code"], failure["retryable"]) == (planned[last], False)
