"""Who waits in a service's queue: counted by job, told whenever the count changes and only then."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.seams import Trace
from tzzr_mcp.services.jobs import Job, JobState
from tzzr_mcp.services.waiting import Waiting


def test_a_job_waits_from_its_first_reading_in_the_queue_until_another_state() -> None:
    trace = Trace(lambda: 0.0)
    waiting = Waiting("grace", trace)
    for job_id in ("a", "b"):
        waiting.see(Job(job_id, JobState.IN_QUEUE))
    assert len(waiting) == 2
    waiting.see(Job("a", JobState.IN_PROGRESS))
    waiting.leave("b")
    assert len(waiting) == 0
    told = [(event.source, event.kind, event.details) for event in trace]
    assert told == [("server", "queue", {"service": "grace", "waiting": count}) for count in (1, 2, 1, 0)]


READINGS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*JobState, None])), max_size=30)


@given(READINGS)
def test_the_count_is_that_of_the_last_readings_and_only_a_change_is_told(
    readings: list[tuple[str, JobState | None]],
) -> None:
    trace = Trace(lambda: 0.0)
    waiting = Waiting("grace", trace)
    queued, counts = set[str](), [0]
    for job_id, state in readings:
        if state is None:
            waiting.leave(job_id)
        else:
            waiting.see(Job(job_id, state))
        queued = queued | {job_id} if state is JobState.IN_QUEUE else queued - {job_id}
        assert len(waiting) == len(queued)
        counts += [len(queued)] if len(queued) != counts[-1] else []
    assert [event.details["waiting"] for event in trace] == counts[1:]
