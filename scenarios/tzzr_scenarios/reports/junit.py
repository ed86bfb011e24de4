"""JUnit XML, as CI systems read it: one test case per scenario, with its requests and answers inside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from tzzr_mocks.control import Body, Exchange
from tzzr_scenarios.events import Event, RunEnded, ScenarioEnded, ScenarioResult
from tzzr_scenarios.reports.terminal import failure, theme
from tzzr_scenarios.story import story

BODY_SHOWN = 2000
"""Characters of a body that the report shows."""
_NOT_XML = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped; a carriage return would come back as a line feed."""


class JUnitReport:
    """Writes the file to ``path`` when the run ends. ``time`` is wall time, as the readers of the format expect."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._cases: list[ET.Element] = []

    def event(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, ScenarioEnded):
            self._cases.append(_case(event))
        elif isinstance(event, RunEnded):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            ET.ElementTree(self._root(event)).write(self.path, encoding="utf-8", xml_declaration=True)

    def _root(self, event: RunEnded) -> ET.Element:
        counts = {"tests": str(len(self._cases)), "failures": self._with("failure"), "errors": self._with("error")}
        counts["skipped"] = self._with("skipped")
        root = ET.Element("testsuites", counts)
        about = {"name": "tzzr", **counts, "time": f"{event.real_s:.3f}"}
        suite = ET.SubElement(root, "testsuite", about)
        ET.SubElement(ET.SubElement(suite, "properties"), "property", name="seed", value=str(event.seed))
        suite.extend(self._cases)
        return root

    def _with(self, kind: str) -> str:
        return str(sum(case.find(kind) is not None for case in self._cases))


def _case(event: ScenarioEnded) -> ET.Element:
    result = event.result
    about = {
        "classname": theme(result.file.name).replace(" · ", "."),
        "name": _held(result.title),
        "file": _held(result.file.name),
        "time": f"{event.real_s:.3f}",
    }
    case = ET.Element("testcase", about)
    if result.verdict == "skipped":
        ET.SubElement(case, "skipped", message=_held(result.reason))
    elif result.verdict == "expected":
        ET.SubElement(case, "skipped", message=_held(f"known to fail: {result.reason}"))
    elif result.verdict != "passed":
        kind = "error" if result.verdict == "broken" else "failure"
        told = ET.SubElement(case, kind, message=_held(_message(result)), type=result.verdict)
        told.text = _held(failure(result).plain)
    ET.SubElement(case, "system-out").text = _held("\n".join(_happened(result)))
    return case


def _message(result: ScenarioResult) -> str:
    """The first thing that went wrong, on one line."""
    differences = [*(each for step in result.steps for each in step.differences), *result.differences]
    if result.problem or not differences:
        return result.problem.partition("\n")[0]
    first = differences[0]
    return f"{first.path}: expected {first.expected}, got {first.got}".replace("\n", " ")


def _happened(result: ScenarioResult) -> Iterator[str]:
    yield f"seed {result.seed}, era {result.era}, {result.virtual_s:g} s of virtual time"
    yield from (str(line) for line in story(result.trace))
    for exchange in result.exchanges:
        yield from _exchange(exchange)


def _exchange(exchange: Exchange) -> Iterator[str]:
    yield ""
    yield exchange.line()
    query = f"?{exchange.query}" if exchange.query else ""
    yield f"> {exchange.method} {exchange.path}{query}"
    yield from _body(">", exchange.body)
    if exchange.reply is not None:
        yield f"< {exchange.reply.status}{'' if exchange.reply.complete else ' (broken off)'}"
        yield from _body("<", exchange.reply.body)


def _body(mark: str, body: Body) -> Iterator[str]:
    shown = body.text[:BODY_SHOWN]
    yield from (f"{mark} {line}" for line in shown.splitlines())
    if body.size and len(shown) < len(body.text):
        yield f"{mark} … {body.size} bytes in all"


def _held(text: str) -> str:
    """The text with what XML cannot hold spelt out, as Python would write it."""
    return _NOT_XML.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
