"""RunPod's own JS client, unmodified, case by case as it was recorded (runpod.md §11; checks 10, 24, 30).

It needs node and the folder in which `runpod-sdk` was installed: ``TZZR_NODE_MODULES=…/node_modules``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_mocks.grace.caller import KEY
from tests.tzzr_mocks.grace.checks import check
from tests.tzzr_mocks.grace.clients.cases import JS
from tests.tzzr_mocks.grace.clients.stage import Stage, recorded, without_ids

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


def known(stage: Stage, endpoint: str) -> str:
    """A job for a read of a wrong endpoint: there is one where the recorded answer was about one."""
    if endpoint not in ("noid", "nostatus", "text200json", "e201"):
        return UNKNOWN_JOB
    return stage.known(endpoint, ended=endpoint != "noid")


@check(10, 19)
@pytest.mark.parametrize("call", ["run", "status"])
def test_a_call_meets_an_answer_as_recorded(stage: Stage, call: str) -> None:
    names = JS[f"{call} meets"]
    endpoints = {name: name.removeprefix(f"js_{call}_") for name in names}
    cases = [
        {"name": name, "call": call, "endpoint": endpoint, "job": known(stage, endpoint)}
        for name, endpoint in endpoints.items()
    ]

    seen = {name: told(one) for name, one in ask(stage, *cases).items()}

    expected = {name: told(CASES[name]) for name in names}
    if call == "run":
        expected["js_run_text200json"]["value"]["status"] = "IN_QUEUE"  # the stub answered with a job that had ended
    assert seen == expected


SECONDS = {"never": 2.5, "e401": 2.0, "e201": 2.0, "noid": 1.5}
"""How long `runSync` was given in the cases in which it was not four seconds."""


@check(24)
@pytest.mark.parametrize("name", JS["runSync"])
def test_run_sync_is_what_was_recorded(stage: Stage, name: str) -> None:
    endpoint = name.removeprefix("js_runSync_")
    where = {"noid": "noid_ever"}.get(endpoint, endpoint)
    timeout = round(1000 * SECONDS.get(endpoint, 4.0))
    mark = stage.mark()
    if endpoint == "cancelled":
        threading.Thread(target=stage.cancel_soon, args=(endpoint,)).start()

    seen = ask(stage, {"name": name, "call": "runSync", "endpoint": where, "timeout": timeout})[name]

    asked = [one.replace("noid_ever", "noid") for one in stage.since(mark) if "/cancel/" not in one]
    assert told(seen) == told(CASES[name])
    assert sorted({*asked}) == sorted({*CASES[name]["requests"]})
    assert (len(asked) < 10) is (endpoint not in ("e201", "noid")), "it asks without a pause for a job without an id"


@check(24)
@pytest.mark.parametrize(("name", "given", "wait"), [
    ("default_wait", {}, 90_000), ("200000", {"timeout": 200_000}, 90_000), ("500", {"timeout": 500}, 1000),
    ("timeout_in_body", {"payload": {"input": {"a": 1}, "timeout": 60_000}}, 90_000),
])  # fmt: skip
def test_run_sync_waits_as_long_as_recorded(stage: Stage, name: str, given: dict[str, Any], wait: int) -> None:
    case = f"js_runSync_{name}"
    mark = stage.mark()

    seen = ask(stage, {"name": case, "call": "runSync", "endpoint": "ok", **given})[case]

    assert case in JS["wait"]
    assert told(seen) == told(CASES[case])
    assert stage.sent(mark) == CASES[case]["sent"]
    assert stage.queries(mark) == [f"wait={wait}"]


@pytest.mark.parametrize("name", JS["stream"])
@check(30)
def test_stream_is_what_was_recorded(stage: Stage, name: str) -> None:
    case = name.removeprefix("js_stream_")
    endpoint = {"ok": "streams", "never_t500": "never"}.get(case, case)
    ended = case not in ("ok", "never_t500", "cancelled")
    job = UNKNOWN_JOB if endpoint == "e404" else stage.job(endpoint, ended)

    timeout = 500 if case == "never_t500" else 8000  # which the client looks at between two chunks
    seen = ask(stage, {"name": name, "call": "stream", "endpoint": endpoint, "job": job, "timeout": timeout})[name]

    expected = told(CASES[name])
    if case == "cancelled":
        expected["value"] = []  # the job was cancelled before its first chunk
    assert seen.get("value") is not None or "exc" in seen
    assert told(seen) == expected


def test_the_states_are_what_was_recorded(stage: Stage) -> None:
    job = stage.job("ok")
    reads = [{"name": "first", "call": "status", "endpoint": "ok", "job": job}]
    states = [told(ask(stage, *reads)["first"])["value"]["status"]]
    seen = ask(
        stage,
        {"name": "js_statusSync", "call": "statusSync", "endpoint": "running", "job": stage.job("running"), "timeout": 1000},
        {"name": "js_status", "call": "status", "endpoint": "ok", "job": job},
    )  # fmt: skip

    whole = CASES["js_status"]["value"]
    assert JS["states"] == ("js_status", "js_statusSync")
    assert states[0] in [one["status"] for one in whole]
    assert told(seen["js_status"]) == told({"value": whole[-1]})
    assert told(seen["js_statusSync"]) == told({"value": whole[1]})


def test_the_other_calls_are_what_was_recorded(stage: Stage) -> None:
    failed, job = stage.job("failed", ended=True), stage.job("running")
    mark = stage.mark()

    seen = ask(
        stage,
        {"name": "js_run", "call": "run", "endpoint": "ok", "payload": CASES["js_run"]["sent"]},
        {"name": "js_statusSync_default", "call": "statusSync", "endpoint": "failed", "job": failed},
        {"name": "js_cancel", "call": "cancel", "endpoint": "running", "job": job},
        {"name": "js_health", "call": "health", "endpoint": "ok"},
        {"name": "js_purge", "call": "purgeQueue", "endpoint": "ok"},
    )

    assert tuple(seen) == JS["others"]
    assert {name: told(one) for name, one in seen.items()} == {name: told(CASES[name]) for name in seen}
    assert stage.sent(mark) == CASES["js_run"]["sent"]
    assert json.loads(without_ids(json.dumps(seen["js_cancel"]["value"]))) == CASES["js_cancel"]["value"]
    assert {name: sorted(part) for name, part in seen["js_health"]["value"].items()} == {
        name: sorted(part) for name, part in CASES["js_health"]["value"].items()
    }
    asked = [request.replace("/running/", "/ok/") for request in stage.since(mark)]
    assert asked == [request for name in seen for request in CASES[name]["requests"]]


def test_a_call_that_is_answered_too_late_ends_as_recorded(stage: Stage) -> None:
    (name,) = JS["never ends in time"]

    seen = ask(stage, {"name": name, "call": "run", "endpoint": "slow"})[name]

    assert told(seen) == told(CASES[name])
