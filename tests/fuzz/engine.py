"""What schemathesis finds of one API: its settings, its run, and each find in a few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import schemathesis
from schemathesis import Case, CheckContext, Response
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure
from schemathesis.engine import Status, events, from_schema

from tests.fuzz.bridge import CRASH_HEADER, Bridge

SEED: Final = 7
PHASES: Final = ("examples", "coverage", "fuzzing", "stateful")
CHECKS: Final = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "negative_data_rejection",
    "positive_data_acceptance",
    "never_fails_by_itself",
)


@schemathesis.check
def never_fails_by_itself(ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """Whatever is asked, the application logs no failure of its own, even where a 500 is what upstream answers."""
    crash = (response.headers.get(CRASH_HEADER) or [""])[0]
    if crash:
        raise AssertionError(crash)


@dataclass(frozen=True)
class Find:
    """One thing that is wrong: the operation, what the check says, and how to see it again."""

    operation: str
    check: str
    told: str
    status: str
    curl: str

    def __str__(self) -> str:
        lines = "\n    ".join(self.told.strip().splitlines())
        return f"{self.operation}  [{self.check}]\n    {lines}\n    {self.curl}"


@dataclass
class Verdict:
    """What a run came to: finds without repetitions, how often each phase asked, what could not be tried."""

    finds: list[Find] = field(default_factory=list)
    cases: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        """How many requests were made up."""
        return self.cases.total()

    @property
    def clean(self) -> bool:
        """Nothing was found, and everything was tried."""
        return not self.finds and not self.troubles


def fuzz(bridge: Bridge, settings: Mapping[str, Any], *, examples: int, seed: int = SEED) -> Verdict:
    """Ask an API what its document lets one ask, and more; ``settings`` are schemathesis' own, beside these."""
    headers = {"headers": dict(bridge.served.headers)}
    config = SchemathesisConfig.from_dict({"seed": seed, **_settings(examples), **headers, **settings})
    schema = schemathesis.openapi.from_dict(dict(bridge.served.document), config=config)
    schema.app = bridge
    verdict, seen = Verdict(), set[tuple[str, str, str]]()
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            verdict.cases[event.phase.value] += len(event.recorder.cases)
            verdict.finds += [one for one in _finds(event) if _new(one, seen)]
        elif isinstance(event, events.NonFatalError | events.FatalError):
            verdict.troubles.append(f"{getattr(event, 'label', '')}: {getattr(event, 'value', event)}")
    return verdict


def _settings(examples: int) -> dict[str, Any]:
    """A seed alone decides; methods that are not in the document are left to the fakes' own tests."""
    return {
        "workers": 1,
        "continue-on-failure": True,
        "generation": {"max-examples": examples, "database": "none", "deterministic": True},
        "phases": {"coverage": {"unexpected-methods": []}, "stateful": {"max-steps": 8}},
        "output": {"sanitization": {"enabled": False}},
    }


def _new(find: Find, seen: set[tuple[str, str, str]]) -> bool:
    key = (find.operation, find.check, find.status)
    fresh = key not in seen
    seen.add(key)
    return fresh


def _finds(event: events.ScenarioFinished) -> Iterator[Find]:
    if event.status not in (Status.FAILURE, Status.ERROR):
        return
    for case_id, nodes in event.recorder.checks.items():
        for node in nodes:
            if node.failure_info is not None:
                failure: Failure = node.failure_info.failure
                operation = event.recorder.cases[case_id].value.operation.label
                status, text = _answer(event, case_id)
                told = f"{failure.title}\n{failure.message}\nAnswered: {status} {text}"
                yield Find(operation, node.name, told, status, node.failure_info.code_sample)


def _answer(event: events.ScenarioFinished, case_id: str) -> tuple[str, str]:
    """Status and beginning of what was answered."""
    exchange = event.recorder.interactions.get(case_id)
    response = exchange.response if exchange else None
    return (str(response.status_code), repr(response.text[:300])) if response else ("nothing", "")
