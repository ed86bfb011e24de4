"""Secrets planted in a world, and the search for them in everything that a scenario leaves behind.

The secrets hold characters that each form of writing escapes in its own way, so that an escaped one is one all the same.
"""

from __future__ import annotations

import base64
import functools
import html
import io
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

import pytest
from mcp.shared import _otel
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from rich.console import Console

from tzzr_mcp.server.logs import configure_logs
from tzzr_mocks.hst.accounts import READER, STATIC_TOKENS
from tzzr_scenarios.events import Report, RunEnded, RunStarted, ScenarioEnded, ScenarioResult
from tzzr_scenarios.reports.github import GitHubReport
from tzzr_scenarios.reports.html import HtmlReport
from tzzr_scenarios.reports.json_lines import JsonReport
from tzzr_scenarios.reports.junit import JUnitReport
from tzzr_scenarios.reports.terminal import TerminalReport
from tzzr_scenarios.stage import Offered

SECRETS = {
    "RUNPOD_API_KEY": 'rpa_Planted/0+"\\&<%=Gr4ce',
    "HST_TOKEN": "hst'Planted/1+\"\\&<%=D1rectus",
    "CONTEXT_TOKEN": 'ctx_Planted/2+"\\&<%=C0ntext',
}
STYLES = ("text", "json")


_WRITINGS: Sequence[Callable[[str], str]] = (
    str,
    lambda text: json.dumps(text)[1:-1],
    lambda text: repr(text)[1:-1],
    lambda text: quote(text, safe=""),
    quote,
    quote_plus,
    html.escape,
    escape,
)


@functools.cache
def forms(secret: str) -> frozenset[str]:
    """A secret as it is, as texts of other kinds hold it, and as those stand in a text of another kind again."""
    once = {write(secret) for write in _WRITINGS}
    twice = {write(text) for write in _WRITINGS for text in once}
    return frozenset({*twice, secret.encode().hex(), *_in_base64(secret)})


def _in_base64(secret: str) -> Iterator[str]:
    """What of base64 is certain wherever the secret stands in what was encoded: at each of three places."""
    for before in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            text = encode(bytes(before) + secret.encode()).decode().rstrip("=")
            yield text[-(-before * 8 // 6) : len(text) - 1]


@dataclass
class Planted:
    """The search. ``secrets`` by name; ``lines`` are the log, ``spans`` what an exporter of traces would get."""

    secrets: dict[str, str]
    lines: list[str] = field(default_factory=list)
    spans: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)

    def found(self, what: str, text: str) -> list[str]:
        """One sentence for each secret that stands in ``text``, in whatever form."""
        return [
            f"{what} holds {name}" for name, value in self.secrets.items() if any(form in text for form in forms(value))
        ]

    def leaks(self, result: ScenarioResult, folder: Path) -> list[str]:
        """The same for everything that a scenario left: what the client saw, every report, journal, traces and logs."""
        for handler in logging.root.handlers:
            handler.flush()
        return [leak for what, text in self._left(result, folder) for leak in self.found(what, text)]

    def _left(self, result: ScenarioResult, folder: Path) -> Iterator[tuple[str, str]]:
        yield "a result", "\n".join(repr(step.seen) for step in result.steps)
        yield (
            "the journal",
            "\n".join(f"{each!r} {json.dumps(each.as_json(), default=repr)}" for each in result.exchanges),
        )
        yield "the trace", "\n".join(json.dumps(event.as_json(), default=repr) for event in result.trace)
        yield "a span", "\n".join(span.to_json() for span in self.spans.get_finished_spans())
        yield "the log", "".join(self.lines)
        yield from _reports(result, folder)


def _reports(result: ScenarioResult, folder: Path) -> Iterator[tuple[str, str]]:
    texts = {name: io.StringIO() for name in ("the terminal", "the JSON report", "GitHub's annotations")}
    terminal, lines, github = texts.values()
    page, junit = folder / "report.html", folder / "junit.xml"
    reports: Iterable[Report] = (
        TerminalReport(Console(file=terminal, width=200), quiet=True, trace=True),
        JsonReport(lines),
        GitHubReport(github, folder),
        HtmlReport(page, Offered((), (), ())),
        JUnitReport(junit),
    )
    for report in reports:
        for event in (
            RunStarted([result.file], result.seed),
            ScenarioEnded(result),
            RunEnded([result], result.seed, 0.0),
        ):
            report.event(event)
    yield from ((name, text.getvalue()) for name, text in texts.items())
    yield "the page", page.read_text(encoding="utf-8")
    yield "the JUnit file", junit.read_text(encoding="utf-8")


def plant(monkeypatch: pytest.MonkeyPatch, style: str) -> Planted:
    """The fakes let clients in with the planted secrets, and with no others; logs of every level are written down."""
    monkeypatch.setattr("tzzr_mocks.grace.app.API_KEY", SECRETS["RUNPOD_API_KEY"])
    monkeypatch.setattr("tzzr_mocks.context.app.TOKEN", SECRETS["CONTEXT_TOKEN"])
    monkeypatch.setattr("tzzr_mocks.hst.app.READER_TOKEN", SECRETS["HST_TOKEN"])
    tokens = {SECRETS["HST_TOKEN"] if account is READER else token: account for token, account in STATIC_TOKENS.items()}
    for place in ("tzzr_mocks.hst.auth", "tzzr_mocks.hst.routes.system"):
        monkeypatch.setattr(f"{place}.STATIC_TOKENS", tokens)
    planted = Planted(SECRETS)
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(planted.spans))
    monkeypatch.setattr(_otel, "_tracer", provider.get_tracer("tests"))
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr(logging.root, "level", logging.root.level)
    configure_logs("DEBUG", style, SECRETS.values(), planted.lines.append)
    return planted
