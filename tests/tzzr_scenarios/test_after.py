"""What is counted when all is over."""

from __future__ import annotations

from tzzr_mcp.seams import Event
from tzzr_scenarios.after import jobs


def job(name: str, status: str) -> Event:
    return Event(0, "grace", "job", {"job": name, "status": status})


def backup(kind: str) -> Event:
    return Event(0, "world", kind, {"name": "backup"})


def test_a_job_counts_by_its_last_status() -> None:
    assert jobs([job("a", "IN_QUEUE"), job("b", "IN_QUEUE"), job("a", "COMPLETED")]) == {"COMPLETED": 1, "IN_QUEUE": 1}


def test_a_job_that_came_after_a_snapshot_is_gone_when_that_is_brought_back() -> None:
    events = [job("a", "IN_PROGRESS"), backup("snapshot"), job("b", "IN_PROGRESS"), backup("restore")]
    assert jobs(events) == {"IN_PROGRESS": 1}


def test_a_job_of_a_snapshot_is_as_it_was_and_goes_on_from_there() -> None:
    events = [job("a", "IN_PROGRESS"), backup("snapshot"), job("a", "FAILED"), backup("restore")]
    assert jobs(events) == {"IN_PROGRESS": 1}
    assert jobs([*events, job("a", "COMPLETED"), backup("restore")]) == {"IN_PROGRESS": 1}
    assert jobs([*events, job("a", "COMPLETED")]) == {"COMPLETED": 1}
