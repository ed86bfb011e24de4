"""Bugs to plant, one at a time: ``pytest -p tests.property.planted --bug NAME tests/property`` must turn red.

Each is what a tired evening leaves behind, and was written down before anybody looked which property might notice it.
A bug is switched on before the tests are imported and stays for the whole run.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tzzr_mcp.contract import canonical, translation
from tzzr_mcp.seams import Deadline
from tzzr_mcp.services import breaker, jobs, retry, runpod
from tzzr_mcp.services.jobs import Job, JobState
from tzzr_mcp.services.troubles import UNHEALTHY, Trouble, UpstreamError
from tzzr_mocks.grace.errors import NotFound
from tzzr_mocks.grace.store import Endpoint
from tzzr_mocks.hst import items
from tzzr_mocks.hst.query import sql

Patch = pytest.MonkeyPatch


SEARCHED: Final[Mapping[str, str]] = {
    "translation": "arguments or contract or round_trip or idempotency or nothing_is_lost",
    "client": "test_client or nothing_goes_on or test_world",
    "fakes": "chains or comparisons or expire or job_li or tag_store",
}
"""Which properties are about a part, as pytest's ``-k`` says it; the others would only cost time."""


@dataclass(frozen=True)
class Bug:
    """``told`` as a reviewer would put it; ``part`` is what it is planted in."""

    part: str
    told: str
    plant: Callable[[Patch], None]


def _drops_an_argument(patch: Patch) -> None:
    less = {name: param for name, param in translation.PARAM_OF.items() if name != "max_palabras"}
    patch.setattr(translation, "PARAM_OF", less)


def _normalises(patch: Patch) -> None:
    def payload(text: str) -> dict[str, Any]:
        return as_received(unicodedata.normalize("NFC", text))

    as_received = translation.text_payload
    patch.setattr(translation, "text_payload", payload)


def _forgets_the_context(patch: Patch) -> None:
    def key(request: Any) -> str:
        document = request if isinstance(request, Mapping) else request.model_dump(exclude_none=True)
        return whole({**document, "context": {}})

    whole = canonical.idempotency_key
    for module in (canonical, translation):
        patch.setattr(module, "idempotency_key", key)


def _mistakes_a_state(patch: Patch) -> None:
    def job(job_id: str, state: JobState, *rest: Any) -> Job:
        return Job(job_id, JobState.CANCELLED if state is JobState.TIMED_OUT else state, *rest)

    patch.setattr(jobs, "Job", job)


def _leaves_jobs_running(patch: Patch) -> None:
    async def abandon(client: runpod.RunPod, job: Job, errand: runpod.Errand, seconds: float) -> None:
        if seconds != runpod.CANCEL_S:
            await whole(client, job, errand, seconds)

    whole = runpod.RunPod._abandon
    patch.setattr(runpod.RunPod, "_abandon", abandon)


def _blames_the_service(patch: Patch) -> None:
    patch.setattr(breaker, "UNHEALTHY", UNHEALTHY | {Trouble.NOT_FOUND, Trouble.REFUSED})


def _retries_past_the_deadline(patch: Patch) -> None:
    def allowed(self: retry.Retry, error: UpstreamError, number: int, deadline: Deadline) -> float | None:
        return whole(self, error, number, Deadline.after(3600.0, self.clock))

    whole = retry.Retry._allowed
    patch.setattr(retry.Retry, "_allowed", allowed)


def _keeps_what_has_expired(patch: Patch) -> None:
    def find(endpoint: Endpoint, job_id: str) -> Any:
        if job_id not in endpoint.jobs:
            raise NotFound("job", endpoint.options.not_found)
        return endpoint.jobs[job_id]

    patch.setattr(Endpoint, "find", find)


def _excludes_the_bound(patch: Patch) -> None:
    patch.setitem(sql._COMPARISONS, "_lte", "<")


def _counts_the_page(patch: Patch) -> None:
    def meta(reading: Any) -> dict[str, int]:
        counts = whole(reading)
        return {**counts, "filter_count": len(reading.rows())} if "filter_count" in counts else counts

    whole = items._Reading.meta
    patch.setattr(items._Reading, "meta", meta)


BUGS: Final[Mapping[str, Bug]] = {
    "drops-an-argument": Bug("translation", "an argument is lost on its way (max_palabras)", _drops_an_argument),
    "normalises": Bug("translation", "a text is normalised on its way (NFC)", _normalises),
    "forgets-the-context": Bug("translation", "the idempotency key ignores language and mode", _forgets_the_context),
    "mistakes-a-state": Bug("client", "TIMED_OUT is read as CANCELLED", _mistakes_a_state),
    "leaves-jobs-running": Bug("client", "a job is not cancelled when the time is over", _leaves_jobs_running),
    "blames-the-service": Bug("client", "the breaker counts the client's own errors", _blames_the_service),
    "retries-past-the-deadline": Bug("client", "a retry does not look at the deadline", _retries_past_the_deadline),
    "keeps-what-has-expired": Bug("fakes", "an expired result can still be read", _keeps_what_has_expired),
    "excludes-the-bound": Bug("fakes", "_lte does not take the bound itself", _excludes_the_bound),
    "counts-the-page": Bug("fakes", "filter_count counts after the limit", _counts_the_page),
}
"""Every bug, by its name."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the bug."""
    parser.addoption("--bug", choices=sorted(BUGS), help="plant this bug for the whole run")


def pytest_configure(config: pytest.Config) -> None:
    """Plant the bug before any test is imported."""
    name = config.getoption("--bug")
    if name is not None:
        patch = pytest.MonkeyPatch()
        config.add_cleanup(patch.undo)
        BUGS[name].plant(patch)
