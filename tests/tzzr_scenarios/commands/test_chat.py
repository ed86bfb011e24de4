"""``tzzr chat``: one answer on the terminal, the page on a port, and what is missing told with its mend."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys

import httpx
import pytest

from tzzr_mcp.gateway.events import EVENT, Message, ToolEvent
from tzzr_mcp.settings import EX_CONFIG
from tzzr_scenarios.chat_stage import gateway_on
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main
from tzzr_scenarios.commands.chat import PLUGINS
from tzzr_scenarios.stage import staged

LOAN = "¿Qué cuota tiene un préstamo de 250000 al 12.5 % a 48 meses?"
SETTINGS = {"TZZR_PLUGINS": PLUGINS}


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_a_question_is_answered_in_words_then_with_the_table_and_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", LOAN]) == PASSED
    out = lines(capsys)
    text = "\n".join(out)

    assert out[0].startswith("✓ Amortización de un préstamo · ")
    assert "tiene una cuota mensual de 6,645.00" in text
    assert text.index("cuota mensual") < text.index("Cuadro de amortización")
    assert "  1 │  6645 │              0 │   2604,17 │            4040,83 │ 245959,17" in out
    assert "las 12 primeras de 48 filas" in out
    assert "fuente: Cálculo de TZZR: amortización francesa · 2026-01-04" in text


def test_the_same_question_gives_the_same_events_as_lines_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", LOAN, "--json"]) == PASSED
    first = lines(capsys)
    assert main(["chat", LOAN, "--json"]) == PASSED

    assert lines(capsys) == first
    assert [EVENT.validate_json(line).type for line in first][-1] == "done"
    (table,) = [json.loads(line) for line in first if '"type":"table"' in line]
    assert table["table"]["rows"][0] == [1, 6645.0, 0.0, 2604.17, 4040.83, 245959.17]


def test_a_model_that_breaks_off_is_told_and_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", LOAN, "--fault", "llm: every call fails with 401"]) == FAILED

    assert "Error: " in "\n".join(lines(capsys))


def test_a_document_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    main(["chat", "Resume este texto: La junta \x1b[2Japrobó [bold]el[/bold] presupuesto. Se levantó la sesión."])
    out = capsys.readouterr().out

    assert "\x1b" not in out
    assert "[bold]el[/bold]" in out


def test_a_fault_that_cannot_be_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", LOAN, "--fault", "llm: every call is cut shrt"]) == COULD_NOT_RUN

    assert "tzzr chat: " in capsys.readouterr().err


def test_a_real_model_without_its_key_is_told_what_to_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", LOAN, "--model", "gpt-5"]) == EX_CONFIG

    assert "TZZR_MODEL_API_KEY" in capsys.readouterr().err


def test_a_missing_package_is_told_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)

    assert main(["chat", LOAN]) == EX_CONFIG
    assert capsys.readouterr().err == (
        "tzzr chat: the module openai is not installed, which the chat gateway needs.\n"
        "  Install the extra: pip install 'mcp-server-tzzr[harness,gateway]'\n"
    )


async def test_every_question_that_a_plugin_proposes_is_answered_by_its_tool_offline() -> None:
    called = {}
    async with staged(settings=SETTINGS) as stage, gateway_on(stage, {}) as gateway:
        for offer in (await gateway.tools()).tools:
            for question in (offer.tool.meta or {}).get("tzzr/questions", []):
                events = [event async for event in gateway.turn([Message(role="user", content=question)])]
                ended = {event.name for event in events if isinstance(event, ToolEvent) and event.outcome == "ok"}
                called[question] = (offer.name, offer.name in ended)

    assert len(called) >= 6
    assert [name for name, answered in called.values() if not answered] == []


@pytest.mark.slow
@pytest.mark.realtime
@pytest.mark.enable_socket
async def test_the_page_is_served_until_interrupted() -> None:
    command = [sys.executable, "-m", "tzzr_scenarios.cli", "chat", "--port=0", "--no-browser"]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    address = line.split()[2]
    async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=30) as client:
        page, tools = await client.get("/"), await client.get("/api/tools")
        stranger = await client.get("/api/tools", headers={"host": "evil.example"})
    process.send_signal(signal.SIGINT)

    assert await asyncio.wait_for(process.wait(), 30) == PASSED
    assert "offline data" in line
    assert "<title>TZZR</title>" in page.text
    assert any(tool["questions"] for tool in tools.json()["tools"])
    assert stranger.status_code == 421


@pytest.mark.enable_socket
def test_a_port_that_is_taken_is_told_with_the_mend(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        assert main(["chat", f"--port={number}", "--no-browser"]) == COULD_NOT_RUN

    assert f"port {number}: address already in use; name another port" in capsys.readouterr().err


@pytest.mark.enable_socket
def test_a_port_that_there_is_not_is_told_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", "--port=99999", "--no-browser"]) == COULD_NOT_RUN
    assert "port 99999: ports go from 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_told_in_one_line(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", question]) == COULD_NOT_RUN
    assert capsys.readouterr().err == "tzzr chat: the question is empty; leave it out to open the page\n"
