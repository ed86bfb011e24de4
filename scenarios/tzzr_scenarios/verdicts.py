"""What the server under test must never do, whatever a scenario expects: judged from the trace and the journal.

Each rule is one function over the evidence of a scenario. A scenario waives a rule by name (`waives`), with the reason
in a comment beside it.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tzzr_mcp.seams import Event
from tzzr_mocks.control import Exchange
from tzzr_scenarios import cells
from tzzr_scenarios.observation import Observation

STORM = 8
"""Requests of one kind within one call that are a storm; polls of a job are not counted."""
SLACK_S = 0.05
"""What a call may take beyond its deadline: the answer still has to be told."""
_FINAL = frozenset({400, 401, 403, 405, 413, 415, 422})
"""Statuses that no repetition mends."""
_FOREIGN = ("Traceback", "<html", "<!DOCTYPE", "Exception", "Error:")
_LEAST = 16
"""Characters that a piece of an upstream's text has at least, to be told from a word that anybody might use."""


@dataclass(frozen=True)
class Verdict:
    """A rule that was broken, and how."""

    rule: str
    what: str


@dataclass(frozen=True)
class Evidence:
    """Everything that one scenario left behind. ``deadline_s`` is the server's limit for one call."""

    trace: Sequence[Event]
    exchanges: Sequence[Exchange]
    seen: Sequence[Observation]
    secrets: frozenset[str]
    deadline_s: float


Rule = Callable[[Evidence], Iterator[str]]
RULES: dict[str, Rule] = {}
"""Every rule by its name."""


def rule(judge: Rule) -> Rule:
    """Register a rule under its function's name."""
    RULES[judge.__name__.replace("_", "-")] = judge
    return judge


def judged(evidence: Evidence, waived: Sequence[str] = ()) -> list[Verdict]:
    """Every rule that was broken and is not waived."""
    return [Verdict(name, what) for name, judge in RULES.items() if name not in waived for what in judge(evidence)]


@rule
def overran_its_deadline(evidence: Evidence) -> Iterator[str]:
    """A call took longer than the server gives one."""
    started: dict[str, float] = {}
    for event in evidence.trace:
        call = str(event.details.get("trace_id"))
        if event.kind == "tool.start":
            started[call] = event.at
        elif event.kind == "tool.end" and (took := event.at - started[call]) > evidence.deadline_s + SLACK_S:
            yield f"{event.details['tool']} took {took:.2f} s of {evidence.deadline_s:g} s"


def is_poll(path: str) -> bool:
    """Whether a request asks how far a job is: there are as many of these as the job takes time."""
    return "/status/" in path or "/stream/" in path


def _requests(evidence: Evidence) -> Iterator[tuple[tuple[str, ...], list[tuple[Event, Event | None]]]]:
    """Each request of one call that is no poll, with its tries: what was sent, and what came back."""
    tries: dict[tuple[str, ...], list[tuple[Event, Event | None]]] = defaultdict(list)
    for event in evidence.trace:
        if event.kind not in ("upstream.request", "upstream.answer") or is_poll(str(event.details.get("path"))):
            continue
        name = tuple(str(event.details.get(part)) for part in ("trace_id", "service", "method", "path"))
        if event.kind == "upstream.request":
            tries[(*name, str(event.details.get("key")))].append((event, None))
        else:
            _answer(tries, name, event)
    yield from tries.items()


def _answer(
    tries: Mapping[tuple[str, ...], list[tuple[Event, Event | None]]], name: tuple[str, ...], event: Event
) -> None:
    for key, sent in tries.items():
        if key[: len(name)] == name and sent[-1][1] is None:
            sent[-1] = (sent[-1][0], event)
            return


@rule
def stormed(evidence: Evidence) -> Iterator[str]:
    """One request was repeated without measure."""
    for name, tries in _requests(evidence):
        if len(tries) > STORM:
            yield f"{name[2]} {name[3]} of {name[1]} was sent {len(tries)} times in one call"


@rule
def retried_what_no_repetition_mends(evidence: Evidence) -> Iterator[str]:
    """A request was repeated after a final refusal."""
    for name, tries in _requests(evidence):
        for (_, answer), _next in itertools.pairwise(tries):
            if answer is not None and answer.details.get("status") in _FINAL:
                yield f"{name[2]} {name[3]} of {name[1]} was sent again after {answer.details['status']}"


@rule
def did_not_back_off(evidence: Evidence) -> Iterator[str]:
    """A request was repeated at the very instant at which it had failed."""
    for name, tries in _requests(evidence):
        for (_, answer), (again, _later) in itertools.pairwise(tries):
            if answer is not None and _bad(answer) and again.at - answer.at < 0.01:
                yield f"{name[2]} {name[3]} of {name[1]} was sent again {again.at - answer.at:.3f} s after it failed"


def _bad(answer: Event) -> bool:
    status = answer.details.get("status")
    return not isinstance(status, int) or status >= 400


@rule
def ignored_retry_after(evidence: Evidence) -> Iterator[str]:
    """A request came sooner than the service had asked for."""
    until: dict[str, tuple[float, str]] = {}
    for exchange in evidence.exchanges:
        call = f"{exchange.service} {exchange.trace_id} {exchange.route}"
        at, asked = until.get(call, (0.0, ""))
        if exchange.trace_id is not None and exchange.at < at - 0.001:
            yield f"{exchange.line()} came {at - exchange.at:.2f} s before Retry-After: {asked} was over"
        wait = (exchange.reply.headers if exchange.reply else {}).get("retry-after", "")
        if wait.isdecimal():
            until[call] = (exchange.at + (exchange.duration or 0.0) + float(wait), wait)


@rule
def fell_back_without_need(evidence: Evidence) -> Iterator[str]:
    """The server went to another module though nothing had failed."""
    troubled: set[str] = set()
    for event in evidence.trace:
        call = str(event.details.get("trace_id"))
        if event.kind == "fallback" and call not in troubled:
            yield f"fell back to {event.details['module']} though nothing had failed"
        elif _troubles(event):
            troubled.add(call)


def _troubles(event: Event) -> bool:
    if event.kind == "job":
        return event.details.get("status") not in ("IN_QUEUE", "IN_PROGRESS", "COMPLETED")
    return event.kind == "fault" or (event.kind == "upstream.answer" and _bad(event))


@rule
def had_it_done_twice(evidence: Evidence) -> Iterator[str]:
    """One call had the same work computed twice: GRACE answers a key that it knows without computing again."""
    done = Counter(
        (str(event.details.get("trace_id")), str(event.details["module"]), str(event.details.get("key")))
        for event in evidence.trace
        if event.kind == "module" and event.details["outcome"] == "OK"
    )
    for (_call, module, _key), times in done.items():
        if times > 1:
            yield f"{module} was computed {times} times for one call"


@rule
def answered_without_source(evidence: Evidence) -> Iterator[str]:
    """A tool's result did not say where it comes from."""
    for seen in evidence.seen:
        if seen.structured is not None and not seen.structured.get("source"):
            yield f"the result {seen.text[:60]!r} names no source"


@rule
def spoke_no_sentence(evidence: Evidence) -> Iterator[str]:
    """A tool's error was told otherwise than in plain sentences on one line, or came with a result beside it."""
    for seen in evidence.seen:
        if seen.error is not None and seen.chat is None and not _is_a_sentence(seen):
            yield f"{seen.outcome} was told as {seen.text[:120]!r}"


def _is_a_sentence(seen: Observation) -> bool:
    text = seen.text
    return text[:1].isupper() and text.endswith((".", "?")) and "\n" not in text and seen.structured is None


@rule
def showed_upstream_text(evidence: Evidence) -> Iterator[str]:
    """An error's sentence holds what an upstream said."""
    said = {piece for exchange in evidence.exchanges for piece in _pieces(exchange)}
    for seen in evidence.seen:
        if seen.error is None:
            continue
        sentence = seen.text if seen.chat is None else str(seen.error["message"])
        for piece in [*(word for word in _FOREIGN if word in sentence), *(each for each in said if each in sentence)]:
            yield f"the sentence {sentence[:120]!r} holds {piece[:60]!r}"


def _pieces(exchange: Exchange) -> list[str]:
    """What a failing answer says, in strings long enough to be recognised."""
    if exchange.reply is None or (exchange.status or 0) < 400:
        return []
    value = exchange.reply.body.json()
    texts = list(_strings(value)) if value is not None else exchange.reply.body.text.splitlines()
    return [text.strip() for text in texts if len(text.strip()) >= _LEAST]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


@rule
def showed_a_cell_to_the_model(evidence: Evidence) -> Iterator[str]:
    """A request to the model holds a cell of a table that no tool's text, question or argument holds."""
    shown = [{"texts": [], "structured": seen.chat} for seen in evidence.seen if seen.chat]
    results = [*shown, *(result for seen in evidence.seen for result in seen.results)]
    for exchange, cell in cells.in_requests(results, evidence.exchanges):
        yield f"{exchange.line()} holds the cell {cell!r}"


@rule
def leaked_a_secret(evidence: Evidence) -> Iterator[str]:
    """A key or token stands in something that the client saw."""
    for seen in evidence.seen:
        shown = [seen.text, seen.structured, dict(seen.meta), seen.error, seen.protocol_error, seen.chat]
        whole = json.dumps(shown, default=str)
        for secret in evidence.secrets:
            if secret in whole:
                yield f"a result holds the secret that begins with {secret[:4]!r}"
