"""Directus' own JS client, unmodified, call by call as it was recorded with a real server: what it sends, what it gets.

It needs node and the folder in which ``@directus/sdk`` was installed: ``TZZR_NODE_MODULES=…/node_modules``.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_socket

from tests.tzzr_mocks.hst.asking import TOKENS
from tests.tzzr_mocks.hst.clients.stage import open_stage
from tests.tzzr_mocks.hst.replay import FOLDER
from tzzr_mocks.control import Exchange

NODE = shutil.which("node")
MODULES = Path(os.environ.get("TZZR_NODE_MODULES", "node_modules")).absolute()
SCRIPT = Path(__file__).with_name("directus_sdk.mjs")
RECORDED: dict[str, Any] = json.loads(gzip.decompress((FOLDER / "sdk_requests.json.gz").read_bytes()))
CALLS: dict[str, dict[str, Any]] = {call["call"]: call for call in RECORDED["requests"]}
REFUSED_HERE = RECORDED["client_side_refusal"]
NOT_COVERED = {"graphql query"}
"""Calls that the fake answers with 501."""

pytestmark = [
    pytest.mark.realtime,
    pytest.mark.enable_socket,
    pytest.mark.node,
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(not (MODULES / "@directus" / "sdk").is_dir(), reason=f"@directus/sdk is not in {MODULES}"),
]


@dataclass
class Run:
    """All calls in one run of the client: what came of each, and what the fake was asked."""

    outcomes: dict[str, dict[str, Any]]
    asked: dict[str, Exchange]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    pytest_socket.enable_socket()
    with open_stage() as stage:
        given = {"modules": str(MODULES), "base": stage.base, "tokens": TOKENS}
        done = subprocess.run(
            [str(NODE), str(SCRIPT)], input=json.dumps(given), capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        yield Run(json.loads(done.stdout), dict(zip(CALLS, stage.asked, strict=True)))


def without_tokens(text: str) -> str:
    """A text with tokens and instants of its own replaced as in the recordings."""
    text = re.sub(r'("refresh_token":")[^"]+', r"\1<token>", text)
    text = re.sub(r"(eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.)[\w.-]+", r"\1<token>", text)
    return re.sub(r'("expires_at":)\d+', r"\1<instant>", text)


def told(outcome: dict[str, Any]) -> str:
    """What came of a call, written as the recording has it (which keeps 150 letters)."""
    if "threw" in outcome:
        return f"{outcome['status']} {outcome['threw']}"
    if "value" not in outcome:
        return "undefined"
    return without_tokens(json.dumps(outcome["value"], ensure_ascii=False, separators=(",", ":")))


def recorded(name: str) -> str:
    """The same of the recording."""
    result = str(CALLS[name]["result"])
    if result.startswith("threw "):
        error = json.loads(result.removeprefix("threw "))
        return f"{error['responseStatus']} {error['message']}"
    return without_tokens(result)


def without_secrets(value: Any) -> Any:
    """A request's body without what the journal keeps of no request."""
    if not isinstance(value, dict):
        return value
    return {key: "…" if key in ("password", "refresh_token") else item for key, item in value.items()}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_sends_what_was_recorded(run: Run, name: str) -> None:
    call, sent = CALLS[name], run.asked[name]
    assert f"{sent.method} {sent.path}{'?' if sent.query else ''}{sent.query}" == f"{call['method']} {call['url']}"
    assert without_secrets(sent.json()) == without_secrets(json.loads(call.get("body") or "null"))


@pytest.mark.parametrize("name", [name for name in CALLS if name not in {*NOT_COVERED, "readMe"}])
def test_a_call_gets_what_was_recorded(run: Run, name: str) -> None:
    seen = told(run.outcomes[name])
    assert seen[: len(recorded(name))] == recorded(name)
    assert len(seen) <= len(recorded(name)) or len(recorded(name)) >= 100


def test_who_one_is_comes_as_an_id(run: Run) -> None:
    assert set(run.outcomes["readMe"]["value"]) == {"id"}


def test_graphql_is_refused_as_not_covered(run: Run) -> None:
    assert told(run.outcomes["graphql query"]).startswith("501 This fake of Directus does not cover POST /graphql")


def test_the_client_itself_refuses_directus_own_collections(run: Run) -> None:
    assert run.outcomes[REFUSED_HERE["call"]]["threw"] in REFUSED_HERE["threw"]
    assert REFUSED_HERE["call"] not in run.asked
