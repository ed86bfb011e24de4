"""A snapshot brings everything back: whatever happens after it, the same requests get the same answers again."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.searching import examples
from tests.tzzr_mocks.grace.caller import Caller, calling
from tests.tzzr_mocks.grace.contracts import text_request
from tests.tzzr_mocks.hst.test_layers import LOGIN
from tzzr_mcp.seams import Event
from tzzr_mocks.control import PlanError
from tzzr_mocks.grace import Assignment, Deployment, Options, Workers
from tzzr_mocks.hst.accounts import STATIC_TOKENS
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import World

Action = tuple[Any, ...]
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
FAULTS = (
    "grace: every 2nd job runs twice",
    "grace: first job loses its worker 1 times",
    "grace: 2nd job starts cold in 9s",
    "grace: every 3rd job never ends",
    "grace: LANG_DETECT takes 4s",
    "grace: first 2 runs to SUMMARIZER are down",
    "grace: calls fail with 503 20% of the time",
    "grace: every 5th call is stale",
)


async def _once(assignment: Assignment) -> Any:
    wanted = assignment.input
    for share in range(2):
        await assignment.seams.clock.sleep(wanted["seconds"] / 2)
        assignment.progress({"share": share})
    if wanted["end"] == "raises":
        raise ValueError("planned")
    return {"error": "planned"} if wanted["end"] == "fails" else {"took": wanted["seconds"]}


async def _streamed(assignment: Assignment) -> AsyncIterator[Any]:
    for number in range(4):
        await assignment.seams.clock.sleep(assignment.input["seconds"] / 4)
        yield {"part": number}


def play(assignment: Assignment) -> Awaitable[Any] | AsyncIterator[Any]:
    """A program that does what its input says."""
    return _streamed(assignment) if assignment.input["end"] == "streams" else _once(assignment)


@dataclass
class Bench:
    """A fake with two endpoints, one of which is GRACE's; and the jobs that it was given."""

    caller: Caller
    jobs: list[tuple[str, str]] = field(default_factory=list)

    async def perform(self, action: Action) -> Any:
        """Do one thing; what was answered, without its instants."""
        verb, *rest = action
        if verb == "wait":
            await self.caller.clock.sleep(rest[0])
            return None
        if verb in ("run", "grace"):
            endpoint = "grace" if verb == "grace" else "ep"
            return await self._submitted(endpoint, rest[0])
        if not self.jobs or verb in ("health", "requests", "purge-queue"):
            endpoint, path = ("ep", "grace")[len(self.jobs) % 2], verb if not verb.startswith("of ") else "health"
        else:
            endpoint, job = self.jobs[rest[0] % len(self.jobs)]
            path = f"{verb.removeprefix('of ')}/{job}"
        return await self._asked(
            "POST" if path.split("/")[0] in ("cancel", "retry", "purge-queue") else "GET", endpoint, path
        )

    async def _submitted(self, endpoint: str, content: Any) -> Any:
        hook = "http://nobody.test/hook"
        answer = await self._asked("POST", endpoint, "run", json={"input": content, "webhook": hook})
        if isinstance(answer[1], dict) and "id" in answer[1]:
            self.jobs.append((endpoint, answer[1]["id"]))
        return answer

    async def _asked(self, method: str, endpoint: str, path: str, **options: Any) -> tuple[int, Any]:
        reply = await self.caller.http.request(method, f"{endpoint}/{path}", **options)
        text = INSTANT.sub("…", reply.text)
        return reply.status_code, reply.json() if text == reply.text and "{" in text else text

    def keep(self) -> Any:
        """A snapshot, as a world takes it."""
        fake = self.caller.fake
        return fake.control.plan.snapshot(), fake.control.snapshot(), fake.snapshot(), list(self.jobs)

    def bring_back(self, state: Any) -> None:
        """Go back to it."""
        plan, control, kept, jobs = state
        self.caller.plan.restore(plan)
        self.caller.fake.control.restore(control)
        self.caller.fake.restore(kept)
        self.jobs = list(jobs)


SECONDS = st.sampled_from([0.0, 0.4, 3.0, 20.0])
RUN = st.fixed_dictionaries({"end": st.sampled_from(["ends", "raises", "fails", "streams"]), "seconds": SECONDS})
ASK = st.builds(text_request, st.sampled_from(["LANG_DETECT", "SUMMARIZER"]))
WAIT = st.sampled_from([0.0371, 0.2113, 1.0171, 7.0033, 40.0117])
OF_A_JOB = st.sampled_from(["of status", "of stream", "of cancel", "of retry"])
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("run"), RUN),
        st.tuples(st.just("grace"), ASK),
        st.tuples(st.just("wait"), WAIT),
        st.tuples(st.just("wait"), WAIT),
        st.tuples(OF_A_JOB, st.integers(0, 9)),
        st.tuples(st.sampled_from(["health", "requests", "purge-queue"])),
    ),
    max_size=12,
)
END: Sequence[Action] = (("wait", 4.0191), ("requests",), ("wait", 700.0), ("requests",), ("health",))


def told(events: Sequence[Event], since: float) -> list[Any]:
    """What happened and when, without the journal's numbers, which go on.

    What happened at one instant is put in an order of its own: two endpoints owe each other none.
    """
    return sorted(
        (round(event.at - since, 5), event.source, event.kind, repr(sorted(_details(event).items())))
        for event in events
    )


def _details(event: Event) -> dict[str, Any]:
    return {name: value for name, value in event.details.items() if name != "number"}


async def twice(
    faults: Sequence[str], before: Sequence[Action], probe: Sequence[Action], between: Sequence[Action]
) -> tuple[Any, Any]:
    """What a probe is answered and what happens meanwhile, before other actions and after they are taken back."""
    options = Options(workers=Workers(warm=1, most=2))
    deployments = {"ep": Deployment(play)}
    async with calling(options=options, faults=faults, others=deployments) as caller:
        bench = Bench(caller)
        for action in before:
            await bench.perform(action)
        state, trace = bench.keep(), caller.fake.control.seams.trace
        begun, since = len(trace), caller.clock.monotonic()
        first = [await bench.perform(action) for action in [*probe, *END]], told(list(trace)[begun:], since)
        for action in between:
            await bench.perform(action)
        bench.bring_back(state)
        begun, since = len(trace), caller.clock.monotonic()
        again = [await bench.perform(action) for action in [*probe, *END]], told(list(trace)[begun:], since)
    return first, again


@pytest.mark.slow
@settings(max_examples=examples(dev=10, ci=100))
@given(st.sets(st.sampled_from(FAULTS), max_size=3), ACTIONS, ACTIONS, ACTIONS)
def test_what_is_asked_again_after_a_restore_is_answered_as_before(
    faults: set[str], before: list[Action], probe: list[Action], between: list[Action]
) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        first, again = runner.run(twice(sorted(faults), before, probe, between))
    assert again == first


RULES = (
    "hst: first call fails with 503",
    "hst: every 2nd read is stale",
    "hst: calls fail with 500 30% of the time",
    "context: 2nd call is stale",
    {"match": {"service": "context", "attempt": 2}, "effect": {"kind": "status", "status": 503}},
    "grace: first 2 runs to LANG_DETECT are down",
)
ADMIN_TOKEN = next(token for token, account in STATIC_TOKENS.items() if account.admin)
ROW = st.integers(1, 4)
IN_A_WORLD = st.lists(
    st.one_of(
        st.tuples(st.just("GET"), st.sampled_from(["/items/tags_flg?limit=3&sort=-id", "/items/tags_flg/2"])),
        st.tuples(st.just("PATCH"), ROW, st.sampled_from(["uno", "dos"])),
        st.tuples(st.just("POST"), st.sampled_from(["AAA1", "AAA2"])),
        st.tuples(st.just("DELETE"), ROW),
        st.tuples(st.just("login")),
        st.tuples(st.just("context"), st.sampled_from(["alfred", "nadie"])),
        st.tuples(st.just("grace"), ASK),
        st.tuples(st.just("jobs")),
        st.tuples(st.just("wait"), WAIT),
        st.tuples(st.just("inject"), st.sampled_from(range(len(RULES)))),
        st.tuples(st.just("heal")),
    ),
    max_size=10,
)


class Talk:
    """One client that talks to every fake of a world."""

    def __init__(self, world: World, client: httpx.AsyncClient) -> None:
        self._world, self._client = world, client

    async def perform(self, action: Action) -> Any:
        """Do one thing; what was answered, without its instants."""
        verb, *rest = action
        if verb == "wait":
            return await self._world.seams.clock.sleep(rest[0])
        if verb in ("inject", "heal"):
            return self._plan(*rest)
        reply = await self._client.send(self._request(verb, *rest))
        told = INSTANT.sub("…", reply.text)
        return reply.status_code, json.loads(told)["data"][
            "refresh_token"
        ] if verb == "login" and reply.is_success else told

    def _plan(self, number: int | None = None) -> Any:
        plan = self._world.plan
        if number is None:
            return [rule.sentence() for rule in plan.heal()]
        with suppress(PlanError):  # it stands in the plan already
            plan.add(RULES[number])
        return plan.as_json()

    def _request(self, verb: str, *rest: Any) -> httpx.Request:
        base, key = self._world.environment, self._world.environment["RUNPOD_API_KEY"]
        if verb == "context":
            address, headers = f"{base['CONTEXT_BASE_URL']}/v1/agents/{rest[0]}/context", {"X-Trace-Id": "t"}
            return self._client.build_request("GET", address, headers=headers)
        if verb in ("grace", "jobs"):
            address = f"{base['GRACE_BASE_URL']}/grace/{'run' if verb == 'grace' else 'requests'}"
            body = {"input": rest[0]} if rest else None
            headers = {"authorization": f"Bearer {key}"}
            return self._client.build_request("POST" if rest else "GET", address, json=body, headers=headers)
        if verb == "login":
            return self._client.build_request("POST", f"{base['HST_BASE_URL']}/auth/login", json=LOGIN)
        return self._to_hst(verb, f"{base['HST_BASE_URL']}", *rest)

    def _to_hst(self, verb: str, base: str, what: Any, name: str = "") -> httpx.Request:
        path = what if verb == "GET" else "/items/tags_flg" if verb == "POST" else f"/items/tags_flg/{what}"
        body = {"POST": {"ref": what, "nombre": "nuevo"}, "PATCH": {"nombre": name}}.get(verb)
        headers = {"authorization": f"Bearer {ADMIN_TOKEN}"}
        return self._client.build_request(verb, f"{base}{path}", json=body, headers=headers)


async def twice_in_a_world(
    before: Sequence[Action], probe: Sequence[Action], between: Sequence[Action]
) -> tuple[Any, Any]:
    """What a probe of a whole world is answered, before other actions and after they are taken back."""
    async with World(7) as world, httpx.AsyncClient(transport=world.transport, timeout=3600) as client:
        talk = Talk(world, client)
        for action in before:
            await talk.perform(action)
        state, asked = world.snapshot(), [*probe, ("wait", 60.0), ("jobs",), ("GET", "/items/tags_flg?limit=-1")]
        first = [await talk.perform(action) for action in asked]
        for action in between:
            await talk.perform(action)
        world.restore(state)
        return first, [await talk.perform(action) for action in asked]


@pytest.mark.slow
@settings(max_examples=examples(dev=10, ci=100))
@given(IN_A_WORLD, IN_A_WORLD, IN_A_WORLD)
def test_a_world_that_is_brought_back_answers_as_it_did(
    before: list[Action], probe: list[Action], between: list[Action]
) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        first, again = runner.run(twice_in_a_world(before, probe, between))
    assert again == first
