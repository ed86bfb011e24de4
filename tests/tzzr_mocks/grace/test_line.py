"""The waiting line: the order of arrival, and those whom a fault keeps beside it."""

from __future__ import annotations

import pytest

from tzzr_mocks.grace.faults.base import Hold
from tzzr_mocks.grace.job import Job, Order, Policy
from tzzr_mocks.grace.line import Line

HOLD = Hold(5.0, "throttled")


class Bench:
    """A line whose holds the test decides, by the ids of the jobs."""

    def __init__(self, *names: str, held: str = "") -> None:
        self.held = set(held)
        self.line = Line(lambda job: HOLD if job.id in self.held else None)
        self.jobs = {name: a_job(name) for name in names}
        for job in self.jobs.values():
            self.line.add(job)

    def drawn(self) -> list[str]:
        """Everybody who may be taken, in the order in which they are."""
        names = []
        while job := self.line.next():
            names.append(job.id)
        return names


def a_job(name: str, *, low_priority: bool = False) -> Job:
    return Job(name, "ep", "run", Order({}, Policy(low_priority=low_priority)), 0.0, 60.0)


def test_who_came_first_is_taken_first_and_once() -> None:
    bench = Bench(*"bca")
    assert (bench.line.waiting, len(bench.line)) == (3, 3)
    assert bench.drawn() == ["b", "c", "a"]
    assert (bench.line.next(), bench.line.waiting, len(bench.line)) == (None, 0, 0)


def test_who_is_held_stands_beside_the_line_until_the_fault_lets_go_and_then_at_its_end() -> None:
    bench = Bench(*"abc", held="ab")
    assert (bench.line.waiting, len(bench.line), bench.line.held) == (1, 3, [bench.jobs["a"], bench.jobs["b"]])
    assert bench.line.holds() == [HOLD, HOLD]

    bench.held = {"b"}
    assert bench.line.holds() == [HOLD]
    bench.line.release()

    assert bench.line.held == [bench.jobs["b"]]
    assert (bench.drawn(), len(bench.line)) == (["c", "a"], 1)


@pytest.mark.parametrize("held", ["", "a"])
def test_who_is_removed_is_nowhere_any_more_and_only_the_first_time_says_so(held: str) -> None:
    bench = Bench(*"ab", held=held)
    assert bench.line.remove(bench.jobs["a"]) is True
    assert bench.line.remove(bench.jobs["a"]) is False
    assert bench.line.remove(a_job("stranger")) is False
    bench.held = set()
    bench.line.release()
    assert bench.drawn() == ["b"]


def test_jobs_of_low_priority_start_no_workers_and_counting_stops_where_it_may() -> None:
    bench = Bench(*"abc", held="c")
    bench.line.add(a_job("low", low_priority=True))
    assert [bench.line.urgent(most) for most in (0, 1, 2, 3)] == [0, 1, 2, 2]


def test_clearing_tells_who_stood_in_the_line_and_who_beside_it() -> None:
    bench = Bench(*"abc", held="b")
    assert [job.id for job in bench.line.clear()] == ["a", "c", "b"]
    assert (len(bench.line), bench.line.held, bench.line.clear()) == (0, [], [])


def test_a_snapshot_brings_back_the_order_in_the_line_and_beside_it() -> None:
    bench = Bench(*"dcba", held="ca")
    kept = bench.line.snapshot()
    assert kept == (["d", "b"], ["c", "a"])

    other = Bench()
    other.line.restore(kept, bench.jobs)

    assert [job.id for job in other.line.held] == ["c", "a"]
    assert other.drawn() == ["d", "b"]


def test_an_order_without_its_content_still_tells_module_key_and_trace() -> None:
    asked = {
        "routing": {"module": "HASHER", "version": "1.0"},
        "envelope": {"idempotency_key": "k", "trace_id": "t", "timestamp": "now"},
        "payload": {"content": "secret"},
    }
    order = Order(asked, Policy(ttl_ms=5), "http://hook.test", {"accessSecret": "s"}).names_only()
    assert order == Order(
        {"routing": {"module": "HASHER"}, "envelope": {"idempotency_key": "k", "trace_id": "t"}},
        Policy(ttl_ms=5),
        "http://hook.test",
        None,
    )
    assert (order.module, order.key, order.trace_id) == ("HASHER", "k", "t")


@pytest.mark.parametrize("given", ["text", {}, {"routing": "x", "envelope": []}, {"routing": {"module": 7}}], ids=repr)
def test_an_order_that_is_no_contract_has_no_names(given: object) -> None:
    order = Order(given)
    assert (order.module, order.key, order.trace_id) == (None, None, None)
