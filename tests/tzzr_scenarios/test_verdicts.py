"""Each verdict: what breaks it, and that what is right does not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tzzr_mcp.seams import Event
from tzzr_mocks.control import Body, Exchange, Reply
from tzzr_scenarios.observation import Observation
from tzzr_scenarios.verdicts import RULES, Evidence, judged

CALL = {"trace_id": "t"}
NOTHING = Evidence((), (), (), frozenset(), 50.0)


def sent(at: float, path: str = "/run", **more: Any) -> Event:
    return Event(at, "server", "upstream.request", {**CALL, "service": "grace", "method": "POST", "path": path, **more})


def answered(at: float, status: int, path: str = "/run") -> Event:
    details = {**CALL, "service": "grace", "method": "POST", "path": path, "status": status}
    return Event(at, "server", "upstream.answer", details)


def tool(at: float, kind: str) -> Event:
    return Event(at, "server", f"tool.{kind}", {**CALL, "tool": "ocr"})


def module(outcome: str = "OK", key: str = "k") -> Event:
    return Event(1.0, "grace", "module", {**CALL, "module": "HASHER", "outcome": outcome, "key": key})


def exchange(at: float, status: int, text: str = "", **headers: str) -> Exchange:
    reply = Reply(status, {name.replace("_", "-"): value for name, value in headers.items()}, Body(text))
    return Exchange(
        1, "grace", at, "POST", "/run", "", {}, Body(), route="POST /run", trace_id="t", reply=reply, duration=0.0
    )


def fallback(at: float) -> Event:
    return Event(at, "server", "fallback", {**CALL, "module": "OCR_GROQ"})


def asked_model(*messages: dict[str, Any]) -> Exchange:
    body = Body(json.dumps({"model": "tzzr-fake", "messages": messages}))
    return Exchange(1, "llm", 0.0, "POST", "/v1/chat/completions", "", {}, body)


def turn(text: str, *row: Any) -> Observation:
    """A turn of the chat in which one tool gave this text and a table with this row."""
    return Observation(chat={}, results=({"texts": [text], "structured": {"tables": [{"rows": [list(row)]}]}},))


def failed(text: str) -> Observation:
    return Observation(text, error={"code": "INTERNAL", "message": text})


BROKEN: dict[str, Evidence] = {
    "overran-its-deadline": replace(NOTHING, trace=(tool(0, "start"), tool(51, "end"))),
    "stormed": replace(NOTHING, trace=tuple(e for n in range(9) for e in (sent(n), answered(n + 0.5, 503)))),
    "retried-what-no-repetition-mends": replace(NOTHING, trace=(sent(0), answered(1, 401), sent(2))),
    "did-not-back-off": replace(NOTHING, trace=(sent(0), answered(1, 503), sent(1))),
    "ignored-retry-after": replace(NOTHING, exchanges=(exchange(0, 429, retry_after="5"), exchange(3, 200))),
    "fell-back-without-need": replace(NOTHING, trace=(sent(0), answered(1, 200), fallback(2))),
    "had-it-done-twice": replace(NOTHING, trace=(module(), module())),
    "answered-without-source": replace(NOTHING, seen=(Observation("hola", structured={"data": {}}),)),
    "spoke-no-sentence": replace(NOTHING, seen=(failed("GRACE no responde"),)),
    "showed-upstream-text": replace(
        NOTHING,
        exchanges=(exchange(0, 500, '{"error": "worker exploded in /app/handler.py"}'),),
        seen=(failed("No se pudo: worker exploded in /app/handler.py"),),
    ),
    "showed-a-cell-to-the-model": replace(
        NOTHING,
        exchanges=(asked_model({"role": "tool", "content": "Cuota: 6645. [1, 2604.17]"}),),
        seen=(turn("Cuota: 6645.", 1, 2604.17),),
    ),
    "leaked-a-secret": replace(NOTHING, secrets=frozenset({"rpa_secret"}), seen=(failed("clave rpa_secret"),)),
}
RIGHT: dict[str, Evidence] = {
    "overran-its-deadline": replace(NOTHING, trace=(tool(0, "start"), tool(49, "end"))),
    "stormed": replace(NOTHING, trace=tuple(e for n in range(30) for e in (sent(n, "/status/1"), answered(n, 200)))),
    "retried-what-no-repetition-mends": replace(NOTHING, trace=(sent(0), answered(1, 503), sent(2))),
    "did-not-back-off": replace(NOTHING, trace=(sent(0), answered(1, 503), sent(1.2))),
    "ignored-retry-after": replace(NOTHING, exchanges=(exchange(0, 429, retry_after="5"), exchange(5, 200))),
    "fell-back-without-need": replace(NOTHING, trace=(sent(0), answered(1, 500), fallback(2))),
    "had-it-done-twice": replace(NOTHING, trace=(module("MODULE_TIMEOUT"), module(), module(key="other"))),
    "answered-without-source": replace(NOTHING, seen=(Observation("hola", structured={"source": {"name": "x"}}),)),
    "spoke-no-sentence": replace(
        NOTHING, seen=(failed("GRACE no responde."), failed("El modo es «x»; ¿quiso decir «y»?"))
    ),
    "showed-upstream-text": replace(
        NOTHING, exchanges=(exchange(0, 500, "<html>worker exploded</html>"),), seen=(failed("GRACE no responde."),)
    ),
    "showed-a-cell-to-the-model": replace(
        NOTHING,
        exchanges=(
            asked_model(
                {"role": "user", "content": "¿2604.17?"}, {"role": "tool", "content": "Cuota: 6645. Total 12604.17"}
            ),
        ),
        seen=(turn("Cuota: 6645. Total 12604.17", 6645, 2604.17, 1, "corto"),),
    ),
    "leaked-a-secret": replace(NOTHING, secrets=frozenset({"rpa_secret"}), seen=(failed("clave rechazada"),)),
}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_verdict_falls_on_what_breaks_it(rule: str) -> None:
    assert rule in {verdict.rule for verdict in judged(BROKEN[rule])}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_verdict_spares_what_is_right(rule: str) -> None:
    assert rule not in {verdict.rule for verdict in judged(RIGHT[rule])}


@pytest.mark.parametrize(
    "seen",
    [
        failed("boom."),
        failed("Falló.\nDos líneas."),
        Observation("Falló.", structured={"source": {"name": "x"}}, error={"code": "INTERNAL", "message": "Falló."}),
    ],
)
def test_an_error_is_one_line_of_sentences_without_a_result(seen: Observation) -> None:
    assert [verdict.rule for verdict in judged(replace(NOTHING, seen=(seen,)))] == ["spoke-no-sentence"]


def test_a_cell_that_was_shown_counts_where_no_result_was_heard() -> None:
    seen = Observation(chat={"tables": [{"rows": [[1, 2604.17]]}]})
    evidence = replace(NOTHING, seen=(seen,), exchanges=(asked_model({"role": "tool", "content": "2.604,17"}),))

    assert [verdict.rule for verdict in judged(evidence)] == ["showed-a-cell-to-the-model"]


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_waived_verdict_does_not_fall(rule: str) -> None:
    assert rule not in {verdict.rule for verdict in judged(BROKEN[rule], [rule])}


def test_every_verdict_is_shown_falling_and_sparing() -> None:
    assert set(BROKEN) == set(RIGHT) == set(RULES)
