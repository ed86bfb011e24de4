"""Who falls back: for whatever fails along a chain, the contract says who answers (CONTRACT §2, §3, §7.7)."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mocks.grace.caller import control
from tests.tzzr_mocks.grace.contracts import binary_request, png, speech
from tzzr_mcp.contract.catalogue import chain_of
from tzzr_mocks.control import FaultRule, Match
from tzzr_mocks.faults import ModuleError
from tzzr_mocks.faults.codes import GRACE_CODES, RETRYABLE
from tzzr_mocks.grace.app import GraceFake
from tzzr_mocks.grace.chain import Chain, Resolution
from tzzr_mocks.grace.reading import read
from tzzr_mocks.network.virtual import new_virtual_loop

REQUESTS: dict[str, Any] = {
    "OCR_CORE": binary_request("OCR_CORE", "image", "image/png", png()),
    "ASR_ENGINE": binary_request("ASR_ENGINE", "audio", "audio/wav", speech()),
}

codes = st.one_of(st.none(), st.sampled_from(GRACE_CODES))


def resolved(module: str, failing: dict[str, str]) -> Resolution:
    """What comes of a request when these modules fail with these codes."""

    async def resolve() -> Resolution:
        plane = control()
        GraceFake(plane)
        for name, code in failing.items():
            plane.plan.add(FaultRule(Match(service="grace", module=name), ModuleError(code=code)))  # type: ignore[arg-type]
        return await Chain(plane).resolve(read(REQUESTS[module]))

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(resolve())


@given(module=st.sampled_from(sorted(REQUESTS)), drawn=st.tuples(codes, codes, codes))
def test_the_first_module_that_works_after_failures_that_may_go_on_answers(
    module: str, drawn: tuple[str | None, str | None, str | None]
) -> None:
    chain = chain_of(module)
    failing = {name: code for name, code in zip(chain, drawn, strict=True) if code is not None}

    resolution = resolved(module, failing)

    tried = [attempt["module"] for attempt in resolution.attempts]
    assert tried == list(chain[: len(tried)])
    _check_end(resolution, tried, failing, chain)
    for attempt in resolution.attempts:
        assert attempt.get("error", {}).get("code") == failing.get(attempt["module"])
        assert attempt["status"] == ("ERROR" if attempt["module"] in failing else "OK")


def _check_end(resolution: Resolution, tried: list[str], failing: dict[str, str], chain: tuple[str, ...]) -> None:
    *passed, last = tried
    assert all(failing[name] in RETRYABLE or failing[name] == "LOW_CONFIDENCE" for name in passed)
    if last not in failing:
        assert (resolution.resolved, resolution.failure) == (last, None)
        assert resolution.status == ("DEGRADED" if passed else "OK")
        return
    assert (resolution.status, resolution.resolved) == ("ERROR", None)
    assert resolution.failure is not None
    if failing[last] in RETRYABLE or failing[last] == "LOW_CONFIDENCE":
        assert (tried, resolution.failure.code, resolution.failure.retryable) == (
            list(chain),
            "FALLBACK_EXHAUSTED",
            True,
        )
    else:
        assert resolution.failure.code == failing[last]
