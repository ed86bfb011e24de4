"""RunPod's own MCP server, unmodified, whose tools ask the fake in the cloud's place (runpod.md §2).

It needs node and the folder in which `@runpod/mcp-server` was installed: ``TZZR_NODE_MODULES=…/node_modules``.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.tzzr_mocks.grace.caller import KEY
from tests.tzzr_mocks.grace.clients.stage import Stage

NODE = shutil.which("node")
MODULES = Path(os.environ.get("TZZR_NODE_MODULES", "node_modules")).absolute()
SERVER = MODULES / "@runpod" / "mcp-server" / "dist" / "stdio.mjs"

pytestmark = [
    pytest.mark.realtime,
    pytest.mark.enable_socket,
    pytest.mark.node,
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(not SERVER.is_file(), reason=f"@runpod/mcp-server is not installed in {MODULES}"),
]


class Tools:
    """The tools of the running server."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    async def ask(self, tool: str, endpoint: str, **given: Any) -> Any:
        """What a tool tells of an endpoint: the JSON in its text."""
        result = await self._session.call_tool(tool, {"endpointId": endpoint, **given})
        (content,) = result.content
        assert content.type == "text"
        return json.loads(content.text)


@asynccontextmanager
async def tools(stage: Stage) -> AsyncIterator[Tools]:
    """The server, told by its own variables where RunPod is."""
    environment = {"RUNPOD_API_KEY": KEY, "RUNPOD_SERVERLESS_API_URL": stage.base, "PATH": os.environ["PATH"]}
    started = StdioServerParameters(command=str(NODE), args=[str(SERVER)], env=environment)
    async with stdio_client(started) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        yield Tools(session)


INPUT = {"a": 1}


async def test_a_job_goes_through_its_life_by_the_tools(stage: Stage) -> None:
    async with tools(stage) as runpod:
        job = (await runpod.ask("run-endpoint", "ok", input=INPUT, policy={"ttl": 60_000}))["id"]
        done = await runpod.ask("get-job-status", "ok", jobId=job, wait=5000)
        at_once = await runpod.ask("runsync-endpoint", "ok", input=INPUT)
        later = await runpod.ask("runsync-endpoint", "inprog", input=INPUT, wait=1000)

    assert (done["status"], done["output"]) == ("COMPLETED", {"answer": 42})
    assert (at_once["status"], at_once["output"]) == ("COMPLETED", {"answer": 42})
    assert later["status"] in ("IN_QUEUE", "IN_PROGRESS")
    assert later["id"].startswith("sync-")


async def test_streams_cancels_retries_and_counters_are_told(stage: Stage) -> None:
    async with tools(stage) as runpod:
        streaming = (await runpod.ask("run-endpoint", "streams", input=INPUT))["id"]
        streamed = await runpod.ask("stream-job", "streams", jobId=streaming)
        running = (await runpod.ask("run-endpoint", "running", input=INPUT))["id"]
        cancelled = await runpod.ask("cancel-job", "running", jobId=running)
        ended = await runpod.ask("stream-job", "running", jobId=running)
        failed = await runpod.ask("runsync-endpoint", "failed", input=INPUT)
        retried = await runpod.ask("retry-job", "failed", jobId=failed["id"])
        health = await runpod.ask("endpoint-health", "ok")
        purged = await runpod.ask("purge-endpoint-queue", "ok")

    assert [chunk["output"] for chunk in streamed["stream"]] == ["a", "b", "c"]
    assert (cancelled["status"], ended) == ("CANCELLED", {"status": "CANCELLED", "stream": []})
    assert (failed["status"], failed["error"].startswith("handler: boom")) == ("FAILED", True)
    assert retried == {"id": failed["id"], "status": "IN_QUEUE"}
    assert sorted(health) == ["jobs", "workers"]
    assert purged == {"removed": 0, "status": "completed"}


@pytest.mark.parametrize(("endpoint", "error", "detail"), [
    ("e401", "Runpod runtime API error (401)", {}),
    ("e404", "Runpod runtime API error (404)", {"error": "endpoint not found"}),
    ("e400", "Runpod runtime API error (400)", {"error": "wait is invalid; must be between 1000 and 300000"}),
])  # fmt: skip
async def test_a_refusal_is_told_with_the_platforms_words(
    stage: Stage, endpoint: str, error: str, detail: dict[str, str]
) -> None:
    async with tools(stage) as runpod:
        told = await runpod.ask("runsync-endpoint", endpoint, input=INPUT, wait=1000)

    assert (told["error"], told["detail"]) == (error, detail)
