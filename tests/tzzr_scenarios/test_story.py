"""A trace told for people."""

from __future__ import annotations

from typing import Any

from tzzr_mcp.seams import Event, Trace
from tzzr_scenarios.story import story


def told(*events: tuple[str, str, dict[str, Any]]) -> list[str]:
    """The lines of a trace of these events, without their times."""
    trace = Trace()
    for source, kind, details in events:
        trace.record(source, kind, **details)
    return [f"{line.source}>{line.target or ''} {line.text} {line.mark} {line.times}" for line in story(trace)]


def sent(path: str, service: str = "grace", **more: Any) -> tuple[str, str, dict[str, Any]]:
    return "server", "upstream.request", {"service": service, "method": "GET", "path": path, **more}


def answered(status: int, service: str = "grace") -> tuple[str, str, dict[str, Any]]:
    return "server", "upstream.answer", {"service": service, "status": status}


def test_polls_are_folded_into_one_line_each_way() -> None:
    assert told(*[sent("/status/1"), answered(200)] * 4) == [
        "server>grace GET /status/1  4",
        "grace>server 200  4",
    ]


def test_what_happens_between_two_polls_keeps_them_apart() -> None:
    job = ("grace", "job", {"status": "COMPLETED", "module": "HASHER"})
    lines = told(sent("/status/1"), answered(200), job, sent("/status/1"), answered(200))
    assert lines[2] == "grace> job COMPLETED HASHER  1"
    assert len(lines) == 5


def test_a_retry_is_a_note_where_the_server_decided_it_with_reason_and_delay() -> None:
    why = {"attempt": 2, "reason": "broken", "delay_s": 0.1824}
    retry = ("server", "retry", {"service": "grace", "method": "GET", "path": "/run", **why})
    lines = told(sent("/run"), answered(503), retry, sent("/run"), answered(200))
    assert lines[2] == "server> retry GET /run: attempt 2 in 0.182 s, because broken retry 1"
    assert [line.split(" ")[-2] for line in lines] == ["", "error", "retry", "", ""]


def test_a_request_without_an_answer_tells_its_trouble() -> None:
    assert told(sent("/run"), ("server", "upstream.answer", {"service": "grace", "trouble": "timeout"}))[1:] == [
        "grace>server timeout error 1"
    ]


def test_long_ids_are_cut_and_the_client_begins_and_ends() -> None:
    request = ("client", "request", {"verb": "call", "subject": "ocr"})
    answer = ("client", "answer", {"verb": "call", "subject": "ocr", "outcome": "GRACE_AUTH"})
    lines = told(request, sent(f"/status/{'a' * 36}-u1", module="OCR_CORE"), answer)
    assert lines[0] == "client>server call ocr  1"
    assert "/status/aaaaaaaa… OCR_CORE" in lines[1]
    assert lines[2] == "server>client GRACE_AUTH error 1"


def test_events_of_other_kinds_are_no_lines() -> None:
    assert told(("server", "tool.start", {"tool": "ocr"}), ("grace", "exchange", {"number": 1})) == []


def test_a_chat_is_told_between_client_gateway_and_model_with_what_was_cut() -> None:
    question = "¿Qué recursos hay " + "de verdad " * 20 + "aquí?"
    exchange = {"number": 1, "status": 200, "complete": False, "route": "POST /v1/chat/completions", "path": "/v1/x"}
    lines = story(
        [
            Event(0.0, "client", "request", {"verb": "chat", "subject": question}),
            Event(0.2, "llm", "model", {"stop": "calls", "tools": ["ocr", "resumir"]}),
            Event(0.4, "llm", "exchange", {**exchange, "complete": True}),
            Event(0.5, "llm", "exchange", exchange),
            Event(0.5, "grace", "exchange", exchange),
            Event(0.5, "server", "tool.start", {"tool": "ocr"}),
            Event(0.6, "server", "tool.end", {"tool": "ocr", "outcome": "GRACE_DEADLINE"}),
            Event(0.6, "client", "answer", {"verb": "chat", "subject": question, "outcome": "ok"}),
            Event(0.7, "server", "tool.start", {"tool": "ocr"}),
        ]
    )

    assert [(line.source, line.target, line.mark) for line in lines] == [
        ("client", "gateway", ""),
        ("llm", "gateway", ""),
        ("gateway", "llm", "error"),
        ("gateway", "server", ""),
        ("server", "gateway", "error"),
        ("gateway", "client", ""),
    ]
    assert lines[0].text.endswith("…")
    assert len(lines[0].text) <= 100
    assert lines[1].text == "asks for ocr, resumir"
    assert lines[2].text == "POST /v1/chat/completions → 200, cut"
