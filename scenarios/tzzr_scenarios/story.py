"""A trace told for people: who said what to whom, with polling folded and faults marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tzzr_mcp.seams import Event

LONGEST = 90
"""Characters of what a step is about that are told."""
Mark = Literal["", "fault", "retry", "error"]


@dataclass(frozen=True)
class Line:
    """One line of a story: an arrow from ``source`` to ``target``, or a note at ``source`` when there is no target.

    ``at`` is virtual seconds, ``times`` how many like it were folded into one.
    """

    at: float
    source: str
    target: str | None
    text: str
    mark: Mark = ""
    times: int = 1

    def __str__(self) -> str:
        whom = f"{self.source:<7} → {self.target or '':<7}" if self.target else f"{self.source:>9} {'':<7}"
        again = f" ×{self.times}" if self.times > 1 else ""
        return f"{whom} {self.at:>9.3f}  {self.text}{again}"


def story(trace: Iterable[Event]) -> list[Line]:
    """The lines of a trace, each poll of a job folded into the first."""
    return list(_folded(_told(trace)))


def _told(trace: Iterable[Event]) -> Iterator[Line]:
    """The line of each event that has one. The tools that run while the gateway is asked are those that it calls."""
    chats = 0
    for event in trace:
        if event.source == "client" and event.details.get("verb") == "chat":
            chats += 1 if event.kind == "request" else -1
        line = _tool(event, event.details) if chats and event.kind in ("tool.start", "tool.end") else _line(event)
        if line is not None:
            yield line


def _tool(event: Event, details: Mapping[str, Any]) -> Line:
    if event.kind == "tool.start":
        return Line(event.at, "gateway", "server", f"call {details['tool']}")
    outcome = str(details["outcome"])
    worked = outcome == "OK"
    return Line(event.at, "server", "gateway", "ok" if worked else outcome, "" if worked else "error")


def _line(event: Event) -> Line | None:
    tell = _TOLD.get((event.source, event.kind)) or _TOLD.get(("", event.kind))
    return tell(event, event.details) if tell else None


def _client_request(event: Event, details: Mapping[str, Any]) -> Line:
    return Line(event.at, "client", _asked(details), f"{details['verb']} {in_short(str(details['subject']))}")


def _client_answer(event: Event, details: Mapping[str, Any]) -> Line:
    outcome = str(details["outcome"])
    return Line(event.at, _asked(details), "client", outcome, "" if outcome == "ok" else "error")


def _asked(details: Mapping[str, Any]) -> str:
    return "gateway" if details["verb"] == "chat" else "server"


def in_short(text: str) -> str:
    """What a step is about, on one line that can be read at a glance."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _model(event: Event, details: Mapping[str, Any]) -> Line:
    asks = f"asks for {', '.join(details['tools'])}" if details["tools"] else str(details["stop"])
    return Line(event.at, "llm", "gateway", asks)


def _model_failed(event: Event, details: Mapping[str, Any]) -> Line | None:
    """A request to the model that went wrong; of one that went well its words are told."""
    if details["status"] == 200 and details["complete"]:
        return None
    text = f"{details.get('route') or details['path']} → {details['status']}{'' if details['complete'] else ', cut'}"
    return Line(event.at, "gateway", "llm", text, "error")


def _request(event: Event, details: Mapping[str, Any]) -> Line:
    key = f" key {details['key'][:8]}…" if details.get("key") and details["method"] == "POST" else ""
    module = f" {details['module']}" if details.get("module") else ""
    return Line(
        event.at, "server", str(details["service"]), f"{details['method']} {_short(details['path'])}{module}{key}"
    )


def _answer(event: Event, details: Mapping[str, Any]) -> Line:
    outcome = details.get("status", details.get("trouble", "?"))
    bad = not isinstance(outcome, int) or outcome >= 400
    return Line(event.at, str(details["service"]), "server", str(outcome), "error" if bad else "")


def _retry(event: Event, details: Mapping[str, Any]) -> Line:
    what = f"{details['method']} {_short(details['path'])}"
    text = f"retry {what}: attempt {details['attempt']} in {details['delay_s']:.3f} s, because {details['reason']}"
    return Line(event.at, event.source, None, text, "retry")


def _fault(event: Event, details: Mapping[str, Any]) -> Line:
    return Line(event.at, event.source, None, f'fault "{details["sentence"]}" (fired {details["count"]}×)', "fault")


def _job(event: Event, details: Mapping[str, Any]) -> Line:
    return Line(event.at, event.source, None, f"job {details['status']} {details.get('module') or ''}".rstrip())


def _module(event: Event, details: Mapping[str, Any]) -> Line:
    worked = details["outcome"] == "OK"
    text = f"{details['module']} ✓" if worked else f"{details['module']} ✗ {details['outcome']}"
    return Line(event.at, event.source, None, text, "" if worked else "error")


def _hop(event: Event, details: Mapping[str, Any]) -> Line:
    rest = " ".join(str(value) for name, value in details.items() if name not in ("trace_id", "service"))
    return Line(event.at, event.source, None, f"{event.kind} {rest}", "retry")


_TOLD: Mapping[tuple[str, str], Callable[[Event, Mapping[str, Any]], Line | None]] = {
    ("client", "request"): _client_request,
    ("client", "answer"): _client_answer,
    ("", "upstream.request"): _request,
    ("", "upstream.answer"): _answer,
    ("", "retry"): _retry,
    ("", "fault"): _fault,
    ("", "job"): _job,
    ("", "module"): _module,
    ("", "fallback"): _hop,
    ("", "breaker"): _hop,
    ("", "webhook"): _hop,
    ("llm", "model"): _model,
    ("llm", "exchange"): _model_failed,
}


def _short(path: str) -> str:
    """A path whose job ids are cut to what tells them apart."""
    return "/".join(part if len(part) < 24 else f"{part[:8]}…" for part in path.split("/"))


def _folded(lines: Iterable[Line]) -> Iterator[Line]:
    """Fold pairs of request and answer that repeat without anything between: the polls of a job."""
    kept: list[Line] = []
    for line in lines:
        kept.append(line)
        if len(kept) >= 4 and _same(kept[-4], kept[-2]) and _same(kept[-3], kept[-1]):
            kept[-4:] = [_again(kept[-4]), _again(kept[-3])]
    yield from kept


def _same(left: Line, right: Line) -> bool:
    return replace(left, at=0, times=1) == replace(right, at=0, times=1) and not left.mark and bool(left.target)


def _again(line: Line) -> Line:
    return replace(line, times=line.times + 1)
