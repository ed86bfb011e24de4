"""Callers for the load tests: questions that no two callers share, so that an answer to somebody else's is seen."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tzzr_mocks.control import KINDS, Point
from tzzr_scenarios import coverage, verdicts
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.stage import offered

CALLERS = 200
SHARE = 0.1
"""Of the occasions that a fault has, on so many one of any kind strikes."""
DEADLINE_S = 50.0
SETTINGS = {"TZZR_MAX_CALLS": "400", "GRACE_MAX_CALLS": "400", "HST_MAX_CALLS": "400"}
COUNTRIES = ("ES", "PT", "FR", "IT", "DE")


async def faults(*, wire: bool = True) -> list[dict[str, Any]]:
    """Every kind that these questions can meet at the two services, each as likely as the others.

    Without ``wire`` those are left out that need a network, which takes most of a call's real time.
    """
    kinds = coverage.reachable(await offered())
    met = {"grace": kinds["resumir"], "hst": kinds["obtener_tag"]}
    return [
        {"match": {"service": service}, "effect": {"kind": kind}, "schedule": {"probability": SHARE / len(each)}}
        for service, each in met.items()
        for kind in each
        if wire or KINDS[kind].point is not Point.WIRE
    ]


@dataclass(frozen=True)
class Question:
    """One call of one tool; its answer holds ``mark``, which no other question's does (a tag's: one of five)."""

    tool: str
    arguments: dict[str, Any]
    mark: str

    def unfit(self, seen: Observation) -> str:
        """What is wrong with the answer; empty for a right one, or for one sentence that ends as a sentence."""
        if seen.protocol_error is not None:
            return f"a protocol error: {seen.protocol_error}"
        if seen.error is not None:
            plain = seen.text[:1].isupper() and seen.text.endswith(".") and "\n" not in seen.text
            return "" if plain else f"no sentence: {seen.text[:100]!r}"
        return "" if self.mark in str(seen.data) else f"not the answer to {self.mark}: {str(seen.data)[:100]}"


def question(number: int) -> Question:
    """The question number ``number``: four tools in turn."""
    if number % 4 == 0:
        text = f"Pregunta número {number}"
        return Question("generar_hash", {"texto": text}, hashlib.sha256(text.encode()).hexdigest())
    if number % 4 == 1:
        mark = f"2026-{number:06d}"
        return Question("extraer_campos", {"texto": f"Factura nº {mark}. Total: 121,00 €"}, mark)
    if number % 4 == 2:
        mark = f"expediente {number:06d}"
        return Question("resumir", {"texto": f"La junta aprueba el {mark} por unanimidad."}, mark)
    mark = COUNTRIES[number % len(COUNTRIES)]
    return Question("obtener_tag", {"ref": mark}, mark)


def judge(answers: Iterable[tuple[Question, Observation]], *, real: bool = False) -> Counter[str]:
    """The outcomes. Fails on an answer that is late, is nobody's or somebody else's, and when too few are right.

    In ``real`` time one percent may be late by the server's own measure, because callers and fakes share a process that
    may be late itself; and most may fail, because on a busy machine services are slow and breakers open.
    """
    heard = list(answers)
    wrong = [f"{asked.tool}: {told}" for asked, seen in heard if (told := asked.unfit(seen))]
    assert wrong == []
    took = [seen.meta["durationMs"] / 1000 if real else seen.elapsed for _, seen in heard]
    assert percentile(took, 99) <= DEADLINE_S
    assert real or max(seen.elapsed for _, seen in heard) <= DEADLINE_S + verdicts.SLACK_S
    outcomes = Counter(seen.outcome for _, seen in heard)
    assert outcomes["ok"] > len(heard) * (0.1 if real else 0.5), outcomes
    return outcomes


def percentile(values: Sequence[float], share: int) -> float:
    """The value that ``share`` percent of the others do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]
