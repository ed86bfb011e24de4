from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.tzzr_mocks.served.desktop import Desktop, desktop
from tzzr_mcp.seams import SystemClock
from tzzr_mocks.control.fault import KINDS

AGENT = "http://context/v1/agents/alfred/context"


async def told(desk: Desktop, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    """The JSON answer of one control request, which must have this status."""
    reply = await desk.control.request(method, path, json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


async def test_faults_are_added_switched_and_healed() -> None:
    async with desktop() as desk:
        rule = await told(desk, "POST", "/faults", {"rule": "context: every call fails with 503"}, 201)
        seen = [(await desk.ports.get(AGENT)).status_code]
        await told(desk, "PATCH", f"/faults/{rule['id']}", {"active": False})
        seen.append((await desk.ports.get(AGENT)).status_code)
        await told(desk, "PATCH", f"/faults/{rule['id']}", {"active": True})
        seen.append((await desk.ports.get(AGENT)).status_code)
        healed = await told(desk, "POST", "/heal", {"what": "context"})
        seen.append((await desk.ports.get(AGENT)).status_code)
        [listed] = await told(desk, "GET", "/faults")

    assert seen == [503, 200, 503, 200]
    assert [one["id"] for one in healed] == [rule["id"]]
    assert (listed["count"], listed["active"], listed["sentence"]) == (2, False, "context: every call fails with 503")


async def test_the_model_is_given_a_script_and_tells_what_it_was_shown() -> None:
    async with desktop() as desk:
        key = {"authorization": f"Bearer {desk.worlds.environment('default')['TZZR_MODEL_API_KEY']}"}
        body = {"model": "tzzr-fake", "messages": [{"role": "user", "content": "hola"}]}
        before = await told(desk, "GET", "/model")
        script = [{"when": "hola", "answer": "Buenas."}]
        after = await told(desk, "PUT", "/model", {"script": script})
        reply = await desk.ports.post("http://llm/v1/chat/completions", json=body, headers=key)
        seen = await told(desk, "GET", "/model/seen")
        refused = await told(desk, "PUT", "/model", {"script": [{"wen": "x"}]}, 422)
        back = await told(desk, "PUT", "/model", {"script": None})

    assert (before, back["script"]) == ({"script": None, "seen": 0}, None)
    assert after["script"] == [{"when": {"question": "hola"}, "answer": "Buenas."}]
    assert reply.json()["choices"][0]["message"]["content"] == "Buenas."
    assert [json.loads(one) for one in seen] == [body]
    assert "model[0].wen" in refused["error"]["message"]


async def test_a_rule_is_taken_in_its_long_form_and_removed() -> None:
    async with desktop() as desk:
        long = {
            "match": {"service": "grace", "tool": "ocr"},
            "effect": {"kind": "module_down"},
            "schedule": {"first": 1},
        }
        rule = await told(desk, "POST", "/faults", {"rule": long}, 201)
        [left] = await told(desk, "DELETE", f"/faults/{rule['id']}")

    assert rule["match"]["module"] == "OCR_CORE"
    assert left["active"] is False


@pytest.mark.parametrize(
    ("rule", "suggestion"),
    [
        ("context: every call fials", "fails"),
        ("contxt: is down", "context"),
        ("context: dns_failure", "reset_before_headers"),
        ({"match": {"service": "context"}, "effect": {"kind": "statis"}}, "status"),
    ],
)
async def test_a_rule_that_cannot_be_is_refused_with_the_nearest(rule: Any, suggestion: str) -> None:
    async with desktop() as desk:
        error = (await told(desk, "POST", "/faults", {"rule": rule}, 422))["error"]

    assert error["suggestion"] == suggestion
    assert suggestion in error["message"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "part"),
    [
        ("POST", "/faults", {"rul": "x"}, 422, "rule: Field required"),
        ("DELETE", "/faults/fault-9", None, 404, "unknown fault rule 'fault-9'"),
        ("GET", "/journal/9", None, 404, "unknown exchange '9'"),
        ("POST", "/snapshots/none/restore", None, 404, "unknown snapshot 'none'"),
        ("POST", "/clock/advance", {"seconds": -1}, 422, "give 0 or more"),
        ("POST", "/clock/advance", {"seconds": "soon"}, 422, "is not a duration"),
        ("POST", "/clock/advance", {"seconds": 1e300}, 422, "give 315360000 or less"),
        ("POST", "/clock/advance", {"seconds": True}, 422, "give seconds, or a duration"),
        ("PATCH", "/faults/fault-9", {"active": True}, 404, "unknown fault rule 'fault-9'"),
        ("PATCH", "/faults/fault-9", {"active": "yes"}, 422, "active: Input should be a valid boolean"),
        ("POST", "/reset", {"seed": False}, 422, "seed: Value error, give a number"),
        ("POST", "/worlds", {"name": "a", "seed": "9"}, 422, "seed: Value error, give a number"),
        ("GET", "/openapi/grase", None, 404, "did you mean 'grace'?"),
        ("GET", "/nothing", None, 404, "Not Found"),
        ("POST", "/worlds", {"name": "a b"}, 422, "cannot be called 'a b'"),
        ("POST", "/worlds", {"name": "a", "starting": "emty"}, 422, "unknown starting world"),
        ("DELETE", "/worlds/ci", None, 404, "unknown world 'ci'"),
        ("GET", "/faults?world=defalt", None, 404, "did you mean 'default'?"),
    ],
)
async def test_a_mistake_is_told_with_its_mend(method: str, path: str, body: Any, status: int, part: str) -> None:
    async with desktop() as desk:
        assert part in (await told(desk, method, path, body, status))["error"]["message"]


async def test_the_journal_is_read_whole_in_part_and_one_by_one() -> None:
    async with desktop() as desk:
        for agent in ("alfred", "nadie", "clara_01"):
            await desk.ports.get(f"http://context/v1/agents/{agent}/context")
        whole = await told(desk, "GET", "/journal")
        later = await told(desk, "GET", "/journal?service=context&after=1&limit=1")
        one = await told(desk, "GET", "/journal/2")
        await told(desk, "DELETE", "/journal")
        left = await told(desk, "GET", "/journal")

    assert [entry["number"] for entry in whole["exchanges"]] == [1, 2, 3]
    assert ([entry["number"] for entry in later["exchanges"]], later["found"]) == ([3], 2)
    assert (one["reply"]["status"], one["route"]) == (404, "GET /v1/agents/{agent_id}/context")
    assert left == {"exchanges": [], "found": 0, "dropped": 0}


async def test_control_requests_are_not_in_the_journal() -> None:
    async with desktop() as desk:
        await told(desk, "GET", "/faults")

        assert (await told(desk, "GET", "/journal"))["found"] == 0


async def test_the_clock_is_frozen_advanced_and_let_go() -> None:
    async with desktop() as desk:
        await told(desk, "POST", "/faults", {"rule": "context: every call takes 60s"}, 201)
        frozen = await told(desk, "POST", "/clock/freeze")
        call = asyncio.create_task(desk.ports.get(AGENT, timeout=None))
        await SystemClock().sleep(1000)
        assert not call.done()
        advanced = await told(desk, "POST", "/clock/advance", {"seconds": "1m"})
        assert (await call).status_code == 200
        running = await told(desk, "POST", "/clock/run")
        shown = await told(desk, "GET", "/clock")

    assert (frozen["frozen"], advanced["frozen"], running["frozen"]) == (True, True, False)
    assert advanced["elapsed"] - frozen["elapsed"] == 60
    assert shown["now"].startswith("2026-01-04T10:01:0")


async def test_reset_takes_a_seed_and_a_starting_world() -> None:
    async with desktop() as desk:
        await told(desk, "POST", "/faults", {"rule": "context: every call fails"}, 201)
        plain = await told(desk, "POST", "/reset", {})
        anew = await told(desk, "POST", "/reset", {"seed": 11, "starting": "empty"})
        status = (await desk.ports.get(AGENT)).status_code

    assert (plain["seed"], plain["faults"]) == (7, 0)
    assert (anew["seed"], anew["starting"], status) == (11, "empty", 404)


async def test_snapshots_bring_back_plan_and_state() -> None:
    async with desktop() as desk:
        await told(desk, "POST", "/faults", {"rule": "context: first call fails with 503"}, 201)
        assert await told(desk, "POST", "/snapshots", {"name": "before"}, 201) == ["before"]
        seen = [(await desk.ports.get(AGENT)).status_code for _ in range(2)]
        await told(desk, "POST", "/snapshots/before/restore")
        seen += [(await desk.ports.get(AGENT)).status_code for _ in range(2)]

    assert seen == [503, 200, 503, 200]


async def test_worlds_are_made_told_and_dropped() -> None:
    async with desktop() as desk:
        made = await told(desk, "POST", "/worlds", {"name": "ci-1", "seed": 3, "faults": ["context: calls fail"]}, 201)
        names = [one["name"] for one in await told(desk, "GET", "/worlds")]
        mine = await told(desk, "GET", "/world?world=ci-1")
        left = await told(desk, "DELETE", "/worlds/ci-1")
        again = await told(desk, "DELETE", "/worlds/default")

    assert names == ["default", "ci-1"]
    assert made["environment"]["RUNPOD_API_KEY"] == "rpa_tzzr_offline@ci-1"
    assert made["environment"]["GRACE_ENDPOINT_ID"] == "grace"
    assert (mine["seed"], mine["faults"], mine["environment"]) == (3, 1, made["environment"])
    assert [one["name"] for one in left] == [one["name"] for one in again] == ["default"]


async def test_jobs_are_shown_as_they_stand() -> None:
    async with desktop() as desk:
        environment = desk.worlds.environment("default")
        headers = {"authorization": f"Bearer {environment['RUNPOD_API_KEY']}"}
        await desk.ports.post("http://grace/v2/grace/run", json={"input": {"x": 1}}, headers=headers)
        [job] = await told(desk, "GET", "/jobs")

    assert (job["endpoint"], job["via"], job["status"]) == ("grace", "run", "IN_QUEUE")


async def test_kinds_are_listed_with_their_pages() -> None:
    async with desktop() as desk:
        kinds = {one["kind"]: one for one in await told(desk, "GET", "/kinds")}

    assert set(kinds) == set(KINDS)
    assert kinds["latency"]["attributes"] == {"seconds": 1.0, "jitter": 0.0}
    assert "YAML: ``- hst: every call takes 3s``" in kinds["latency"]["page"]


async def test_the_trace_is_told_with_its_digest() -> None:
    async with desktop() as desk:
        await desk.ports.get(AGENT)
        trace = await told(desk, "GET", "/trace")

        assert trace["digest"] == desk.worlds.named("default").trace.digest()
    assert [event["kind"] for event in trace["events"]] == ["exchange"]


async def test_what_happens_is_told_as_it_comes() -> None:
    async with desktop() as desk:
        heard: list[tuple[str, Any]] = []
        async with desk.control.stream("GET", "/events", timeout=None) as news:
            lines = news.aiter_lines()
            assert await anext(lines) == ": follow"
            await desk.ports.get(AGENT)
            while len(heard) < 3:
                line = await anext(lines)
                if line.startswith("event: "):
                    data = (await anext(lines)).removeprefix("data: ")
                    heard.append((line.removeprefix("event: "), json.loads(data)))
        world = desk.worlds.named("default")
        await desk.ports.get(AGENT)

        assert [kind for kind, _ in heard] == ["exchange", "exchange", "event"]
        assert [heard[0][1]["reply"], heard[1][1]["reply"]["status"]] == [None, 200]
        assert not world.journal._listeners, "nobody listens once the page is closed"


async def test_the_description_names_every_route() -> None:
    async with desktop() as desk:
        described = await told(desk, "GET", "/openapi.json")

    assert described["servers"] == [{"url": "/__tzzr"}]
    assert {"/faults", "/faults/{rule_id}", "/heal", "/openapi/{service}", "/model", "/model/seen", "/kinds", "/journal", "/journal/{number}", "/trace", "/jobs", "/events",
            "/clock", "/clock/freeze", "/clock/run", "/clock/advance", "/world", "/worlds", "/worlds/{name}", "/reset",
            "/snapshots", "/snapshots/{snapshot}/restore"} == set(described["paths"])  # fmt: skip
    operations = [operation for path in described["paths"].values() for operation in path.values()]
    assert all(operation.get("description") for operation in operations)


async def test_the_page_is_one_file_that_fetches_nothing_from_elsewhere() -> None:
    async with desktop() as desk:
        page = await desk.control.get("/")

    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http://" not in page.text.replace("http://www.w3.org/", "")
    assert "https://" not in page.text
