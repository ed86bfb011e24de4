"""RunPod jobs: the bodies that ``POST /run`` takes, and what ``GET /status/{id}`` answers about a job.

Fields, limits and bodies per state are those of RunPod's documents for serverless endpoints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis import strategies as st

from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.schemas import EXECUTION_TIMEOUT_MS, TTL_MS
from tzzr_scenarios.strategies import requests, responses
from tzzr_scenarios.strategies.mutations import changed, put, remove
from tzzr_scenarios.strategies.values import Json

Request = Mapping[str, Json]
"""A request as `requests.valid` draws it."""

ERRORS: Final = (
    "job timed out after 1 retries",
    '{"error_type": "<class \'RuntimeError\'>", "error_message": "CUDA out of memory", "error_traceback": "…"}',
    "no worker",
)
"""What ``error`` of a FAILED job looks like: text, or JSON in text."""


@st.composite
def valid(draw: st.DrawFn, request: st.SearchStrategy[Json] | None = None) -> dict[str, Json]:
    """The body of ``/run`` or ``/runsync``: ``{input, policy?, webhook?}``; ``input`` is a valid S-CONTRACT request.

    ``request`` draws another input, which must be an object with something in it.
    """
    body: dict[str, Json] = {"input": draw(requests.valid() if request is None else request)}
    if policy := draw(policies()):
        body["policy"] = policy
    if draw(st.booleans()):
        body["webhook"] = "http://nobody.test/hook"
    return body


def policies() -> st.SearchStrategy[dict[str, Json]]:
    """The ``policy`` of a job, any part of it; times in milliseconds within RunPod's limits."""
    return st.fixed_dictionaries(
        {},
        optional={
            "executionTimeout": _times(EXECUTION_TIMEOUT_MS),
            "ttl": _times(TTL_MS),
            "lowPriority": st.booleans(),
        },
    )


def _times(bounds: tuple[int, int]) -> st.SearchStrategy[int]:
    return st.sampled_from(bounds) | st.integers(*bounds)


_WRONG_POLICIES: Final[tuple[Json, ...]] = (
    {"ttl": TTL_MS[0] - 1},
    {"ttl": TTL_MS[1] + 1},
    {"ttl": "60000"},
    {"executionTimeout": EXECUTION_TIMEOUT_MS[0] - 1},
    {"executionTimeout": EXECUTION_TIMEOUT_MS[1] + 1},
    {"executionTimeout": 5000.5},
    {"lowPriority": "yes"},
    "fast",
    [],
)


@st.composite
def nearly_valid(draw: st.DrawFn) -> Json:
    """A body of ``/run`` with one mistake, which RunPod refuses with 400 before any job is made."""
    body = draw(valid())
    ways: list[Json] = [
        changed(body, ("input",), remove),
        changed(body, ("input",), put(draw(st.sampled_from([None, "text", 7, []])))),
        {**body, "policy": draw(st.sampled_from(_WRONG_POLICIES))},
        {**body, "webhook": 7},
        [body],
    ]
    return draw(st.sampled_from(ways))


@st.composite
def answers(draw: st.DrawFn, request: Request, status: str | None = None) -> dict[str, Json]:
    """What ``/status`` answers about a job of ``request``, in that state or in any.

    Always ``id`` and ``status``; ``delayTime`` and ``workerId`` once it ran, ``executionTime`` once it ended, ``output``
    when COMPLETED (a valid S-CONTRACT response), ``error`` when FAILED. Times are milliseconds.
    """
    state = status or draw(st.sampled_from(_STATES))
    body: dict[str, Json] = {"id": draw(_ids), "status": state}
    if state in (Status.IN_QUEUE, Status.CANCELLED):
        return body
    body |= {"delayTime": draw(_spans), "workerId": draw(_workers)}
    if state != Status.IN_PROGRESS:
        body["executionTime"] = draw(_spans)
    if state == Status.COMPLETED:
        body["output"] = draw(responses.valid(request))
    if state == Status.FAILED:
        body["error"] = draw(st.sampled_from(ERRORS))
    return body


_STATES: Final = tuple(str(status) for status in (Status.IN_QUEUE, Status.IN_PROGRESS, Status.CANCELLED, *Status))
_spans = st.integers(0, 600_000)
_workers = st.from_regex(r"[a-z0-9]{14}", fullmatch=True)
_ids = st.uuids(version=4).map(lambda number: f"{number}-u1")


@st.composite
def nearly_valid_answers(draw: st.DrawFn, request: Request) -> dict[str, Json]:
    """A ``/status`` answer that a client must not take for a result.

    COMPLETED without output, with an output that is no response, with the response as text or wrapped once more, or a
    state that there is not.
    """
    body = draw(answers(request, str(Status.COMPLETED)))
    whole = body["output"]
    ways: list[Json] = [
        changed(body, ("output",), remove),
        {**body, "status": draw(st.sampled_from(["COMPLETE", "completed", "", "DONE"]))},
        {**body, "output": draw(st.sampled_from([None, "", [], {}, "processing"]))},
        {**body, "output": draw(responses.nearly_valid(request))},
        {**body, "output": {"output": whole}},
    ]
    chosen: dict[str, Json] = draw(st.sampled_from(ways))
    return chosen
