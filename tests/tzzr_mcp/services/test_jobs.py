"""A job's reading: each state, each way of failing (runpod.md §6, §7, §13)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tzzr_mcp.services.jobs import FINAL, Cause, Job, JobState, read_job


@pytest.mark.parametrize(
    "status", ["IN_QUEUE", "IN_PROGRESS", "RUNNING", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]
)
def test_each_documented_state_is_known(status: str) -> None:
    job = read_job({"id": "x", "status": status}, "job-1")
    assert job == Job("job-1", JobState(status))


@pytest.mark.parametrize("status", ["PAUSED", "", "GONE", "completed"])
def test_a_state_that_nobody_knows_is_not_final(status: str) -> None:
    job = read_job({"status": status}, "job-1")
    assert job is not None
    assert (job.state, job.final) == (JobState.UNKNOWN, False)


@pytest.mark.parametrize("document", [{}, {"status": None}, {"status": 3}, {"error": "Job ID not found"}])
def test_an_answer_without_a_state_is_no_job(document: dict[str, Any]) -> None:
    assert read_job(document, "job-1") is None


def test_an_output_that_was_wrapped_twice_is_unwrapped() -> None:
    job = read_job({"status": "COMPLETED", "output": {"output": {"a": 1}}}, "job-1")
    assert job is not None
    assert job.output == {"a": 1}


def test_an_output_with_more_than_the_wrapping_stays_as_it_is() -> None:
    job = read_job({"status": "COMPLETED", "output": {"output": 1, "b": 2}}, "job-1")
    assert job is not None
    assert job.output == {"output": 1, "b": 2}


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ("job timed out after 1 retries", Cause.WORKER_LOST),
        ("executionTimeout exceeded", Cause.EXECUTION_TIMEOUT),
        ("Server not ready after timeout (30s)", Cause.NOT_READY),
        ("handler: boom \ntraceback: Traceback (most recent call last)", Cause.EXCEPTION),
        (json.dumps({"error_type": "<class 'ValueError'>", "error_message": "job timed out"}), Cause.EXCEPTION),
        ({"error_type": "<class 'KeyError'>"}, Cause.EXCEPTION),
        ({"code": 3}, Cause.UNKNOWN),
        ("[" * 100_000, Cause.UNKNOWN),
        ("strange", Cause.UNKNOWN),
        ("", Cause.UNKNOWN),
        (None, Cause.UNKNOWN),
    ],
)
def test_the_cause_is_read_from_the_error(error: Any, cause: Cause) -> None:
    job = read_job({"status": "FAILED", "error": error}, "job-1")
    assert job is not None
    assert job.cause is cause


def test_an_error_that_is_no_text_is_kept_as_json_that_can_be_read() -> None:
    job = read_job({"status": "FAILED", "error": {"razón": "año"}}, "job-1")
    assert job is not None
    assert job.error == '{"razón": "año"}'


def test_final_are_the_four_states_of_the_documents_and_gone() -> None:
    assert {"COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT", "GONE"} == FINAL
