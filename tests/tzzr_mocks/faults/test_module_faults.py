from __future__ import annotations

import pytest

from tests.tzzr_mocks.small import plan_of
from tzzr_mcp.contract import errors
from tzzr_mocks.control import Occasion, Point
from tzzr_mocks.faults import ModuleFailure, ModuleFault
from tzzr_mocks.faults.codes import DETAILS, GRACE_CODES, RETRYABLE


async def strike(sentence: str) -> tuple[ModuleFailure | None, float]:
    """How a module fails under one rule, and after how many seconds."""
    plan = plan_of()
    plan.add(f"grace: OCR_LOCAL {sentence}")
    [fault] = plan.fired(Occasion(Point.MODULE, "grace", module="OCR_LOCAL"))
    assert isinstance(fault, ModuleFault)
    before = plan.seams.clock.monotonic()
    return await fault.strike(plan.seams.clock), plan.seams.clock.monotonic() - before


async def test_a_module_that_is_down_is_unavailable_and_may_be_tried_again() -> None:
    failure, waited = await strike("is down")

    assert failure == ModuleFailure("MODULE_UNAVAILABLE", "provider unavailable", True)
    assert waited == 0


async def test_a_slow_module_answers_after_all() -> None:
    assert await strike("takes 40s") == (None, 40.0)


async def test_a_module_that_times_out_says_after_how_long() -> None:
    failure, waited = await strike("times out after 12s")

    assert failure is not None
    assert (failure.code, failure.details["timeout_ms"], waited) == ("MODULE_TIMEOUT", 12_000, 12.0)


@pytest.mark.parametrize("code", GRACE_CODES)
async def test_every_code_of_the_contract_can_be_planned(code: str) -> None:
    failure, _ = await strike(f"fails with {code}")

    assert failure is not None
    assert (failure.code, failure.retryable) == (code, code in RETRYABLE)
    assert set(failure.details) == set(DETAILS.get(code, {}))


def test_the_fakes_codes_are_the_contracts() -> None:
    assert tuple(errors.GRACE_CODES) == GRACE_CODES
    assert {code for code in errors.GRACE_CODES if errors.RETRYABLE[code]} == RETRYABLE
