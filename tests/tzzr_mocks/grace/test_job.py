"""What a job says of its times."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from tzzr_mocks.grace.job import Job, Order

TENTHS_MS = st.integers(0, 100_000).map(lambda tenths: tenths / 10_000)
"""Seconds up to ten, with half milliseconds among them."""

YEARS = 1e9
"""Seconds for which a machine may have been up."""


def a_job(begun: float, waited: float, worked: float) -> Job:
    return Job("j", "ep", "run", Order({}), begun, 60.0, started_at=begun + waited, ended_at=begun + waited + worked)


@given(st.floats(0, YEARS), TENTHS_MS, TENTHS_MS)
@example(YEARS / 3, 0.0005, 0.0015)
@example(YEARS, 0.0025, 0.0035)
def test_how_long_it_waited_and_worked_depends_on_no_instant(begun: float, waited: float, worked: float) -> None:
    early, late = a_job(0, waited, worked), a_job(begun, waited, worked)
    assert (late.delay_ms, late.execution_ms) == (early.delay_ms, early.execution_ms)


def test_a_job_that_has_not_begun_has_no_times() -> None:
    job = Job("j", "ep", "run", Order({}), 0.0, 60.0)
    assert (job.delay_ms, job.execution_ms) == (None, None)
