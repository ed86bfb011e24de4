"""RunPod's own JS client, unmodified, case by case as it was recorded (runpod.md §11; checks 10, 24, 30).

It needs node and the folder in which `runpod-sdk` was installed: ``TZZR_NODE_MODULES=…/node_modules``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import KEY
from tests.tzzr_mocks.grace.checks import check
from tests.tzzr_mocks.grace.clients.stage import FAULTS, Stage, recorded, without_ids

NODE = shutil.which("node")
MODULES = Path(os.environ.get("TZZR_NODE_MODULES", "node_modules")).absolute()
SCRIPT = Path(__file__).with_name("runpod_sdk.mjs")
CASES = recorded("javascript")

pytestmark = [
    pytest.mark.realtime,
    pytest.mark.enable_socket,
    pytest.mark.node,
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(not (MODULES / "runpod-sdk").is_dir(), reason=f"runpod-sdk is not installed in {MODULES}"),
]

KNOWN = {*FAULTS, "e404"}
SAID = ("exc", "name", "str", "cause")
FLAGS = ("started", "completed", "succeeded", "status", "statusText", "error")
UNKNOWN_JOB = "00000000-0000-4000-8000-000000000000-u1"


def ask(stage: Stage, *cases: dict[str, Any]) -> dict[str, Any]:
    """What the client makes of each case."""
    given = {"modules": str(MODULES), "base": stage.base, "key": KEY, "cases": list(cases)}
    done = subprocess.run(
        [str(NODE), str(SCRIPT)], input=json.dumps(given), capture_output=True, text=True, timeout=120, check=True
    )
    results: dict[str, Any] = json.loads(done.stdout)
    return results


def told(outcome: dict[str, Any]) -> dict[str, Any]:
    """The part of an outcome that does not depend on a job's own numbers and words."""
    seen: dict[str, Any] = {name: outcome[name] for name in SAID if name in outcome}
    if "errResp" in outcome:
        seen["errResp"] = [outcome["errResp"]["status"], type(outcome["errResp"]["data"]).__name__]
    value = outcome.get("value")
    if isinstance(value, dict) and "0" in value:
        seen["value"] = "a page, letter by letter"
    elif isinstance(value, dict):
        seen["value"] = {name: value[name] for name in FLAGS if name in value and name != "error"}
    elif isinstance(value, str):
        seen["value"] = value[:15]
    elif value is not None:
        seen["value"] = value
    return seen


def test_an_answer_in_the_platforms_place_is_met_as_recorded(stage: Stage) -> None:
    names = [
        name
        for name in CASES
        for call, _, endpoint in [name.removeprefix("js_").partition("_")]
        if call in ("run", "status") and endpoint in KNOWN
    ]
    stateful = {"js_status_noid", "js_status_nostatus", "js_status_text200json", "js_run_text200json"}
    cases = [
        {"name": name, "call": name.split("_")[1], "endpoint": name.split("_", 2)[2], "job": UNKNOWN_JOB}
        for name in names
        if name not in stateful
    ]

    seen = ask(stage, *cases)

    assert len(seen) >= 25
    assert {name: told(one) for name, one in seen.items()} == {name: told(CASES[name]) for name in seen}


@check(24)
@pytest.mark.parametrize(("case", "timeout"), [
    ("ok", 4000), ("failed", 4000), ("timed_out", 4000), ("queued_then_ok", 4000), ("never", 2500), ("e401", 2000),
])  # fmt: skip
def test_run_sync_is_what_was_recorded(stage: Stage, case: str, timeout: int) -> None:
    name = f"js_runSync_{case}"
    mark = stage.mark()

    seen = ask(stage, {"name": name, "call": "runSync", "endpoint": case, "timeout": timeout})[name]

    asked = stage.since(mark)
    assert told(seen) == told(CASES[name])
    assert sorted({*asked}) == sorted({*CASES[name]["requests"]})
    assert len(asked) < 10


@pytest.mark.parametrize(("case", "endpoint"), [
    ("ok", "streams"), ("failed", "failed"), ("timed_out", "timed_out"), ("chunkmetrics", "chunkmetrics"),
    ("nostream", "nostream"), ("never_t500", "never"),
])  # fmt: skip
@check(30)
def test_stream_is_what_was_recorded(stage: Stage, case: str, endpoint: str) -> None:
    name = f"js_stream_{case}"
    ended = case in ("failed", "timed_out", "nostream", "chunkmetrics")
    job = stage.job(endpoint, ended)

    seen = ask(stage, {"name": name, "call": "stream", "endpoint": endpoint, "job": job, "timeout": 500})[name]

    assert told(seen) == told(CASES[name])


def test_the_other_calls_are_what_was_recorded(stage: Stage) -> None:
    failed, job = stage.job("failed", ended=True), stage.job("running")
    mark = stage.mark()

    seen = ask(
        stage,
        {"name": "js_run", "call": "run", "endpoint": "ok"},
        {"name": "js_statusSync_default", "call": "statusSync", "endpoint": "failed", "job": failed},
        {"name": "js_cancel", "call": "cancel", "endpoint": "running", "job": job},
        {"name": "js_health", "call": "health", "endpoint": "ok"},
        {"name": "js_purge", "call": "purgeQueue", "endpoint": "ok"},
    )

    assert {name: told(one) for name, one in seen.items()} == {name: told(CASES[name]) for name in seen}
    assert json.loads(without_ids(json.dumps(seen["js_cancel"]["value"]))) == CASES["js_cancel"]["value"]
    assert {name: sorted(part) for name, part in seen["js_health"]["value"].items()} == {
        name: sorted(part) for name, part in CASES["js_health"]["value"].items()
    }
    asked = [request.replace("/running/", "/ok/") for request in stage.since(mark)]
    assert asked == [request for name in seen for request in CASES[name]["requests"]]
