"""When jobs are gone, and that nothing is kept of those that are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.grace.expiries import SPARE, Expiries

JOBS = st.sampled_from("abcdef")
ACTS = st.lists(st.one_of(
    st.tuples(st.just("set"), JOBS, st.integers(0, 50)),
    st.tuples(st.just("drop"), JOBS, st.just(0)),
    st.tuples(st.just("due"), st.just(""), st.integers(0, 50)),
), max_size=300)  # fmt: skip


@given(ACTS)
def test_each_job_is_due_once_at_the_last_instant_that_was_said_of_it(acts: list[tuple[str, str, int]]) -> None:
    expiries, model = Expiries(), dict[str, float]()
    for what, job, instant in acts:
        if what == "set":
            expiries.set(job, instant)
            model[job] = instant
        elif what == "drop":
            expiries.drop(job)
            model.pop(job, None)
        else:
            told = list(expiries.due(instant))
            assert told == sorted(told, key=lambda name: (model[name], name))
            assert set(told) == {name for name, at in model.items() if at <= instant}
            model = {name: at for name, at in model.items() if at > instant}
        assert len(expiries) <= 2 * len(model) + SPARE or what == "due"


def test_of_jobs_that_are_gone_hardly_anything_is_kept() -> None:
    expiries = Expiries()
    for number in range(10_000):
        expiries.set(str(number), 86_400.0)
        expiries.set(str(number), 1_800.0)
        expiries.drop(str(number))

    assert len(expiries) <= SPARE


def test_outdated_entries_are_borne_up_to_the_spare_and_then_thrown_out_at_once() -> None:
    expiries = Expiries()
    for instant in range(SPARE + 2):
        expiries.set("a", float(instant))
    assert len(expiries) == SPARE + 2
    expiries.set("a", 7.0)
    assert (len(expiries), list(expiries.due(100.0))) == (1, ["a"])


def test_an_instant_that_has_come_exactly_is_due_and_a_later_one_is_not() -> None:
    expiries = Expiries()
    for job, instant in (("b", 2.0), ("a", 1.0), ("c", 2.5)):
        expiries.set(job, instant)
    assert [list(expiries.due(now)) for now in (0.5, 2.0, 2.0)] == [[], ["a", "b"], []]
