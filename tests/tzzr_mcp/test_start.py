"""The start pays only for what the first answer needs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

LATER = (
    "jsonschema",
    "httpx",
    "httpcore",
    "fastapi",
    "rfc8785",
    "numpy",
    "PIL",
    "yaml",
    "rich",
    "tzzr_mocks.world",
    "prometheus_client",
    "redis",
    "tzzr_mcp.screen",
)
"""What a call needs and a list does not."""

PROGRAM = """
import asyncio, json, sys
from types import SimpleNamespace
from mcp.server import Server
before = set(sys.modules)
from tzzr_mcp.server.launch import prepare
server = prepare({"LOG_LEVEL": "ERROR"}, offline=True)
anybody = SimpleNamespace(session=SimpleNamespace(client_capabilities=None))
tools = asyncio.run(server.mcp.get_request_handler("tools/list").handler(anybody, None)).tools
print(json.dumps([len(tools), sorted(set(sys.modules) - before)]))
"""


@pytest.mark.realtime
def test_the_whole_server_offline_lists_its_tools_without_importing_what_calls_need() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    count, imported = json.loads(done.stdout)
    assert count == 12
    assert [name for name in imported if name in LATER or name.partition(".")[0] in LATER] == []


@pytest.mark.realtime
def test_help_imports_neither_the_sdk_nor_pydantic() -> None:
    program = "import sys, tzzr_mcp.cli\nprint([n for n in ('mcp', 'pydantic') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
