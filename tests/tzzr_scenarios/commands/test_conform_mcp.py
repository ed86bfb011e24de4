"""``tzzr conform mcp`` over a socket and as a process: what is broken is told, and what cannot be asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.tzzr_scenarios.conform.served import served
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main
from tzzr_scenarios.conform.mcp import BOOK

over_a_socket = [pytest.mark.realtime, pytest.mark.enable_socket]

SERVER = '''
"""A server that greets in the older era, has one tool and knows nothing else."""
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked or "method" not in asked:
        continue
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] == "initialize":
        known = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        answer["result"] = {**known, "serverInfo": {"name": "uno", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": "theirs", "method": "roots/list"}), flush=True)
    elif asked["method"] == "tools/list":
        answer["result"] = {"tools": [{"name": "uno", "inputSchema": {"type": "object"}}]}
    else:
        answer["error"] = {"code": -32601, "message": "unknown"}
    print(json.dumps(answer), flush=True)
'''


@pytest.fixture
def server(tmp_path: Path) -> list[str]:
    """The command of a small server."""
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    return [sys.executable, str(path)]


@pytest.mark.realtime
def test_a_process_is_asked_in_each_era_and_what_it_lacks_is_told(
    server: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--rule", "era", "--rule", "names.*", "--rule", "schemas.object", "--json"]
    assert main(["conform", "mcp", *words, "--", *server]) == FAILED
    *rules, end = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    broken = {(rule["rule"], rule["where"]) for rule in rules if rule["verdict"] == "failed"}
    assert ("names.tools", "2025-11-25") in broken
    assert ("era.discover", "2026-07-28") in broken
    passed = {(rule["rule"], rule["where"]) for rule in rules if rule["verdict"] == "passed"}
    assert {("era.initialize", "2025-11-25"), ("schemas.object", "2025-11-25")} <= passed
    assert ("names.tools", "2026-07-28") not in broken  # told once, by era.discover
    assert end["differing"] == len(broken)


@pytest.mark.realtime
def test_one_era_alone_is_asked_when_told(server: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--era", "2025-11-25", "--rule", "era.initialize", "-q"]
    assert main(["conform", "mcp", *words, "--", *server]) == PASSED
    assert "no difference in 1 verdicts" in capsys.readouterr().out


@pytest.mark.realtime
@pytest.mark.parametrize(("command", "told"), [
    (["no-such-command"], "no-such-command cannot be started"),
    ([sys.executable, "-c", "raise SystemExit('out of coffee')"], "out of coffee"),
    ([sys.executable, "-c", "for _ in open(0): print('{}', flush=True)"], "it does not speak MCP of"),
])  # fmt: skip
def test_a_process_that_cannot_be_asked_is_told(
    command: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", "mcp", "-q", "--", *command]) == COULD_NOT_RUN
    seen = capsys.readouterr().err
    assert told in seen
    assert "--url" not in seen
    assert seen.count("\n") == 1


@pytest.mark.realtime
def test_a_server_that_ends_with_a_mend_on_its_second_line_is_quoted_with_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = [sys.executable, "-c", "raise SystemExit('OVEN_KEY is not set.\\n  Set it.')"]
    assert main(["conform", "mcp", "-q", "--", *command]) == COULD_NOT_RUN
    seen = capsys.readouterr().err
    assert "OVEN_KEY is not set." in seen
    assert "Set it." in seen


class TestOverASocket:
    pytestmark = over_a_socket

    def test_nobody_at_the_address_is_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["conform", "mcp", "--url", "http://127.0.0.1:1/mcp", "-q"]) == COULD_NOT_RUN
        assert "nobody answers at http://127.0.0.1:1/mcp" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("status", "told"), [(404, "is --url the whole address, with /mcp?"), (401, "does it want another --token?")]
    )
    def test_somebody_else_at_the_address_is_told(
        self, status: int, told: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        async def app(scope: object, receive: object, send: object) -> None:
            assert callable(send)
            await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})

        with served(app) as base:
            assert main(["conform", "mcp", "--url", base, "-q"]) == COULD_NOT_RUN
        assert told in capsys.readouterr().err


@pytest.mark.parametrize(("words", "told"), [
    ([], "give either --url, such as http://127.0.0.1:8000/mcp, or a command after --"),
    (["--url", "tzzr.example"], "is no address of a server"),
    (["--url", "http://tzzr.example/mcp", "--token", "two words"], "holds a blank"),
    (["--rule", "errors.rsult"], "did you mean errors.result?"),
])  # fmt: skip
def test_what_cannot_be_asked_is_told_with_the_mend(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", "mcp", *words]) == COULD_NOT_RUN
    assert told in capsys.readouterr().err


def test_every_rule_is_listed_and_nothing_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "mcp", "--list"]) == PASSED
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [rule.id for rule in BOOK]
