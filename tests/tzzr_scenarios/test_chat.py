"""The step `chat`: what it sees, how a conversation goes on, and the verdict on cells against a gateway that leaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import types

from tests.tzzr_scenarios.playing import all_differences, play
from tzzr_mcp.gateway import formodel
from tzzr_scenarios.chat_seen import of_turn
from tzzr_scenarios.chat_stage import gateway
from tzzr_scenarios.matchers import Difference
from tzzr_scenarios.stage import ERAS, staged

LOAN = "Un préstamo de 20.000 € al 7 % a 5 años"
FINANCE = {"TZZR_PLUGINS": "system,finance"}
GIVEN = "given: { plugins: [system, finance] }\n"
CHAT = f"steps:\n  - chat: {LOAN}\n"
DONE = {
    "type": "done",
    "stopped": "answer",
    "usage": {"input_tokens": 9, "output_tokens": 2},
    "rounds": 1,
    "tool_calls": 0,
}


def test_a_turn_is_told_in_the_words_that_expectations_use() -> None:
    table = {"id": "t", "title": "T", "columns": [], "rows": [[1], [2]], "total": 3}
    events: list[dict[str, Any]] = [
        {"type": "tool", "phase": "started", "call": "c", "name": "ocr", "title": "Leer", "arguments": {}},
        {
            "type": "tool",
            "phase": "finished",
            "call": "c",
            "name": "ocr",
            "arguments": {},
            "outcome": "ok",
            "trace_id": "x",
        },
        {"type": "notice", "notice": {"level": "info", "text": "Aviso."}},
        {"type": "table", "call": "c", "table": table},
        {"type": "rows", "call": "c", "table_id": "t", "start": 2, "rows": [[3]]},
        {"type": "rows", "call": "otra", "table_id": "t", "start": 2, "rows": [[9]]},
        {"type": "links", "call": "c", "links": [{"title": "Datos", "uri": "tzzr://x"}]},
        {"type": "text", "delta": "Ho"},
        {"type": "text", "delta": "la."},
        {"type": "error", "code": "MODEL_CUT", "message": "Se cortó.", "retryable": True},
        DONE,
    ]
    seen = of_turn(events, [])

    assert (seen.text, seen.outcome) == ("Hola.", "MODEL_CUT")
    assert seen.chat == {
        "tools": [{"name": "ocr", "arguments": {}, "outcome": "ok"}],
        "tables": [{**table, "rows": [[1], [2], [3]]}],
        "charts": [],
        "links": [{"title": "Datos", "uri": "tzzr://x"}],
        "notices": [{"level": "info", "text": "Aviso."}],
        "stopped": "answer",
        "usage": {"input_tokens": 9, "output_tokens": 2, "rounds": 1, "tool_calls": 0},
    }


async def test_the_gateway_of_a_stage_hears_every_result_and_carries_each_conversation_by_its_name() -> None:
    async with staged(settings=FINANCE) as stage, gateway(stage, ERAS[0], "memory") as chat:
        first = await chat.ask(LOAN, "ana")
        await chat.ask("gracias", "luis")
        again = await chat.ask("¿Y a 20 años?", "ana")

    assert [len(said.results) for said in (first, again)] == [1, 1]
    assert [message.role for message in chat.conversations["luis"]] == ["user", "assistant"]
    assert [message.content for message in chat.conversations["ana"] if message.role == "user"] == [
        LOAN,
        "¿Y a 20 años?",
    ]
    structured = again.results[0].structured_content or {}
    assert structured["data"]["termMonths"] == 240


async def test_the_server_of_a_stage_never_meets_the_model() -> None:
    async with staged(settings={**FINANCE, "TZZR_GATEWAY_ROUNDS": "3"}) as stage:
        server, everything = stage.environ, stage.gateway_environ

    assert not [name for name in server if name.startswith(("TZZR_MODEL", "TZZR_GATEWAY"))]
    assert {"TZZR_MODEL_BASE_URL", "TZZR_MODEL_API_KEY", "TZZR_MODEL", "TZZR_GATEWAY_ROUNDS"} <= set(everything)


@pytest.mark.parametrize(
    ("expectation", "path"),
    [
        ("text: nada", "text"),
        ("tools: []", "tools"),
        ("tables: { length: 0 }", "length of tables"),
        ("charts: { length: 0 }", "length of charts"),
        ("notices: { length: 1 }", "length of notices"),
        ("stopped: limit", "stopped"),
        ("usage: { rounds: 7 }", "usage.rounds"),
        ("error: MODEL_CUT", "error"),
    ],
)
def test_each_expectation_of_a_chat_can_fail(tmp_path: Path, expectation: str, path: str) -> None:
    result = play(tmp_path, f"{GIVEN}{CHAT}    expect: {{ {expectation} }}\n")

    assert {each.path for each in all_differences(result)} == {path}


def test_what_the_model_saw_is_held_like_what_any_service_saw(tmp_path: Path) -> None:
    wanted = "{ POST: /chat/completions, times: 2, body: { model: tzzr-fake } }"
    assert play(tmp_path, f"{GIVEN}{CHAT}    upstream: {{ llm: [{wanted}] }}\n").verdict == "passed"

    (difference,) = all_differences(play(tmp_path, f"{GIVEN}{CHAT}    upstream: {{ llm: [] }}\n"))
    assert (difference.path, difference.expected) == ("upstream.llm", "no request")


def test_a_value_of_a_turn_is_saved_for_later_steps(tmp_path: Path) -> None:
    steps = f"{CHAT}    save: {{ total: '$.chat.tables[0].total' }}\n  - chat: ${{total}}\n"
    result = play(
        tmp_path,
        f"{GIVEN}{steps}    upstream: {{ llm: [{{ POST: /chat/completions, body: {{ messages: {{ contains: {{ role: user, content: '60' }} }} }} }}] }}\n",
    )

    assert result.verdict == "passed", all_differences(result)


def test_a_gateway_that_lets_a_cell_through_is_caught_in_every_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaking(result: types.CallToolResult) -> Iterator[str]:
        table = (result.structured_content or {})["tables"][0]
        yield f"El tercer saldo es {table['rows'][2][5]:,}."

    assert play(tmp_path, f"{GIVEN}{CHAT}").verdict == "passed"
    monkeypatch.setattr(formodel, "_texts", leaking)
    broken: list[Difference] = all_differences(play(tmp_path, f"{GIVEN}{CHAT}"))

    assert [(each.path, "holds the cell" in each.got) for each in broken] == [
        ("verdict showed-a-cell-to-the-model", True)
    ]


def test_the_same_seed_gives_the_same_chat(tmp_path: Path) -> None:
    first, second = (play(tmp_path, f"{GIVEN}{CHAT}") for _ in range(2))

    assert first.digest == second.digest
