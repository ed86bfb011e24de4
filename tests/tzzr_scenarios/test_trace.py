"""What a trace holds: each kind of thing that happens as an event of its own, in order, and a retry for each repetition."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence

import pytest

from tzzr_mcp.seams import Event
from tzzr_scenarios import runner
from tzzr_scenarios.files import home
from tzzr_scenarios.language.load import load

FAILS, LOSES = "grace/errores/siempre-500.yaml", "grace/fallback/segunda-linea.yaml"


def trace_of(name: str) -> tuple[Event, ...]:
    """What happened in one scenario of the catalogue, which must pass."""
    result = runner.run_one(load(home() / name, name), runner.Settings(7))
    assert result.verdict == "passed", result.problem
    return tuple(result.trace)


def tries(trace: Sequence[Event]) -> Iterator[list[Event]]:
    """Requests to a service, their answers and their retries, of one call and about one thing; polls left out."""
    about: dict[tuple[str, ...], list[Event]] = defaultdict(list)
    for event in trace:
        if event.kind in ("upstream.request", "upstream.answer", "retry") and "/status/" not in event.details["path"]:
            about[tuple(event.details[part] for part in ("trace_id", "service", "method", "path"))].append(event)
    yield from about.values()


@pytest.mark.parametrize(
    ("name", "more"), [(FAILS, {"retry", "breaker", "fault"}), (LOSES, {"fallback", "fault", "job", "module"})]
)
def test_whatever_happens_is_an_event_at_its_instant(name: str, more: set[str]) -> None:
    trace = trace_of(name)
    always = {"request", "answer", "tool.start", "tool.end", "upstream.request", "upstream.answer", "exchange"}
    assert always | more <= {event.kind for event in trace}
    assert {event.source for event in trace} >= {"client", "server", "grace"}
    instants = [event.at for event in trace]
    assert instants == sorted(instants)
    assert instants[-1] > instants[0], "time is virtual, and passes"


def test_each_request_that_is_sent_again_was_announced_with_reason_and_delay() -> None:
    retries = 0
    for tried in tries(trace_of(FAILS)):
        for answer, again in itertools.pairwise(tried):
            if again.kind == "upstream.request":
                assert answer.kind == "retry"
                assert again.at == pytest.approx(answer.at + answer.details["delay_s"], abs=1e-6)
            elif again.kind == "retry":
                retries += 1
                assert (answer.kind, answer.details["status"]) == ("upstream.answer", 500)
                assert again.details["reason"] == "broken"
    assert retries >= 3


def test_a_breaker_tells_each_of_its_states() -> None:
    assert [event.details["state"] for event in trace_of(FAILS) if event.kind == "breaker"] == [
        "open",
        "half_open",
        "closed",
    ]
