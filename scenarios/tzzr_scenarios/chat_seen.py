"""What a person saw of one turn of the chat gateway, in the words that expectations use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tzzr_scenarios.observation import Observation

Told = Mapping[str, Any]
"""One event of the gateway as plain JSON values."""


def of_turn(events: Sequence[Told], results: Sequence[Mapping[str, Any]]) -> Observation:
    """The observation of a turn: its events, and the results that the gateway had of the server."""
    done = next(iter(_of(events, "done")))
    error = next(iter(_of(events, "error")), None)
    return Observation(
        text="".join(event["delta"] for event in _of(events, "text")),
        error=None if error is None else {name: error[name] for name in ("code", "message", "retryable")},
        chat={
            "tools": list(_tools(events)),
            "tables": list(_tables(events)),
            "charts": [event["chart"] for event in _of(events, "chart")],
            "links": [link for event in _of(events, "links") for link in event["links"]],
            "notices": [event["notice"] for event in _of(events, "notice")],
            "stopped": done["stopped"],
            "usage": {**done["usage"], "rounds": done["rounds"], "tool_calls": done["tool_calls"]},
        },
        results=results,
    )


def _of(events: Iterable[Told], kind: str) -> Iterator[Told]:
    return (event for event in events if event["type"] == kind)


def _tools(events: Sequence[Told]) -> Iterator[dict[str, Any]]:
    """The tools that ran, without what is drawn and measured anew each time."""
    for event in _of(events, "tool"):
        if event["phase"] == "finished":
            yield {name: value for name, value in event.items() if name in _TOLD}


_TOLD = ("name", "title", "arguments", "outcome", "text", "source")


def _tables(events: Sequence[Told]) -> Iterator[dict[str, Any]]:
    """The tables with all their rows, put together as a page would."""
    for event in _of(events, "table"):
        table = dict(event["table"])
        more = [one for one in _of(events, "rows") if (one["call"], one["table_id"]) == (event["call"], table["id"])]
        yield {**table, "rows": [*table["rows"], *(row for one in more for row in one["rows"])]}
