"""What the services hold when all is over, compared with what a scenario expects of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tzzr_mcp.seams import Event
from tzzr_mocks.control import Exchange
from tzzr_scenarios import upstream
from tzzr_scenarios.language.models import After
from tzzr_scenarios.matchers import Difference, matcher


def differences(after: After, exchanges: Sequence[Exchange], trace: Iterable[Event]) -> list[Difference]:
    """Every difference, each with a path that begins with ``after``."""
    events = list(trace)
    return [Difference(f"after.{each.path}", each.expected, each.got) for each in _all(after, exchanges, events)]


def _all(after: After, exchanges: Sequence[Exchange], events: Sequence[Event]) -> Iterator[Difference]:
    yield from upstream.differences({str(service): seen for service, seen in after.upstream.items()}, exchanges)
    yield from _counts("computed", after.computed, computed(events))
    yield from _counts("jobs", after.jobs, jobs(events))


def _counts(part: str, wanted: Mapping[str, object], counted: Counter[str]) -> Iterator[Difference]:
    for name, count in wanted.items():
        for each in matcher(count).differences(counted[name], f"{part}.{name}"):
            others = ", ".join(f"{times} {other}" for other, times in sorted(counted.items())) or "nothing at all"
            yield Difference(each.path, each.expected, f"{each.got} (in all: {others})")


def computed(events: Iterable[Event]) -> Counter[str]:
    """How often each module came to a result, whether or not anybody ever fetched it."""
    return Counter(
        str(event.details["module"]) for event in events if event.kind == "module" and event.details["outcome"] == "OK"
    )


def jobs(events: Iterable[Event]) -> Counter[str]:
    """How many jobs ended up in each status; those that came after a snapshot are gone with its return."""
    last: dict[str, str] = {}
    kept: dict[str, dict[str, str]] = {}
    for event in events:
        if event.kind == "job":
            last[str(event.details["job"])] = str(event.details["status"])
        elif event.kind == "snapshot":
            kept[str(event.details["name"])] = dict(last)
        elif event.kind == "restore":
            last = dict(kept[str(event.details["name"])])
    return Counter(last.values())
