"""The whole world: tools called while services fail, recover, restart; what must hold for a user, always holds.

A machine drives the real server on a world, step by step, as a scenario file would. Beside the verdicts, which hold in
every scenario: each call comes to a right result or to one typed error, what is asked again is not computed again, and
once every fault is healed all works as before and nothing is left running.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from tzzr_mcp.contract.catalogue import MODULES, TOOLS, chain_of
from tzzr_scenarios import coverage, files
from tzzr_scenarios.search import Finds, Journey
from tzzr_scenarios.stage import ERAS
from tzzr_scenarios.sweep import CALLS
from tzzr_mocks.control import KINDS

FOUND = Finds(Path(__file__).parents[2] / "scenarios" / "found", "tests/property/test_world.py")
CALL_S = 20
"""Seconds that the server gives a call."""
REST_S = 60
"""Seconds after which a healed world works again: every breaker has cooled down, every retry is due."""
LONGEST_S = 1200.0
"""Seconds within which GRACE keeps what it has computed, whatever it has been asked."""
TYPED = {"regex": "^(ok|(?!INTERNAL$)[A-Z]+(_[A-Z]+)+)$"}
"""A result, or an error with a code that says more than that something is wrong within."""

Call = tuple[str, int]
"""A tool, and which of its two calls."""
WITH_CHAIN = {tool for tool, module in TOOLS.items() if module.chain}
CALLED = st.sampled_from([(tool, number) for tool in CALLS for number in range(2)])
SETTINGS = st.sampled_from([{}, {"HST_CACHE_TTL_S": 0}, {"GRACE_CACHE_TTL_S": 300}])
SCHEDULES = st.sampled_from([{}, {"first": 1}, {"first": 3}, {"every": 2}, {"nth": 2}])
PAUSES = st.sampled_from([0.5, 5.0, 16.0, 60.0])


def _told(call: Call) -> dict[str, Any]:
    tool, number = call
    return {"with": dict(CALLS[tool][number])}


@functools.cache
def calm() -> Mapping[Call, Any]:
    """What each call comes to where nothing goes wrong."""
    with Journey() as journey:
        seen = {
            (tool, number): journey.take({"call": tool, **_told((tool, number))})[-1].seen
            for tool in CALLS
            for number in range(2)
        }
    return {call: each.data for call, each in seen.items() if each is not None}


KINDS_OF = {
    service: sorted({kind for tool in CALLS if coverage.service_of(tool) == service for kind in coverage._kinds(tool, service)})
    for service in ("grace", "hst")
}
FAULTS = st.one_of(
    *(
        st.builds(
            lambda kind, schedule, service=service: {
                "match": {"service": service},
                "effect": {"kind": kind},
                **({"schedule": schedule} if schedule else {}),
                "optional": True,
            },
            st.sampled_from(kinds),
            SCHEDULES,
        )
        for service, kinds in KINDS_OF.items()
    )
)


class WholeWorld(RuleBasedStateMachine):
    """A world with faults that come and go, and one user."""

    journey: Journey

    @initialize(seed=st.integers(0, 3), era=st.sampled_from(ERAS), settings=SETTINGS)
    def begin(self, seed: int, era: str, settings: Mapping[str, Any]) -> None:
        """Open it."""
        given = {"seed": seed, "settings": {"TZZR_CALL_TIMEOUT_S": CALL_S, **settings}}
        self.journey = Journey({**given, **({"era": era} if era != ERAS[0] else {})}, FOUND)
        self.faults = 0
        self.asked: set[Call] = set()

    def _call(self, call: Call) -> dict[str, Any]:
        """A call under faults: right, or a typed error."""
        self.asked.add(call)
        expect: dict[str, Any] = {"outcome": TYPED}
        if call[0] not in WITH_CHAIN:
            expect["data"] = {"anyOf": [{"absent": True}, {"equals": calm()[call]}]}
        return {"call": call[0], **_told(call), "expect": expect}

    @rule(call=CALLED)
    def call(self, call: Call) -> None:
        """Call a tool."""
        self.journey.take(self._call(call))

    @rule(calls=st.lists(CALLED, min_size=2, max_size=4))
    def call_at_once(self, calls: Sequence[Call]) -> None:
        """Call several at once."""
        self.journey.take({"parallel": [self._call(call) for call in calls]})

    @rule(call=CALLED, after=st.sampled_from([0.05, 0.6, 4.0]))
    def give_up(self, call: Call, after: float) -> None:
        """Call a tool, and give it up."""
        told = self._call(call)
        self.journey.take({"cancel": told.pop("call"), **told, "after": after, "expect": {"outcome": TYPED}})

    @precondition(lambda self: self.faults < 3)
    @rule(fault=FAULTS)
    def inject(self, fault: Mapping[str, Any]) -> None:
        """Something goes wrong from now on."""
        if any(rule.fault.kind == fault["effect"]["kind"] for rule in self.journey.world.plan.rules):
            return
        self.faults += 1
        self.journey.take({"inject": fault})

    @precondition(lambda self: self.faults)
    @rule(service=st.sampled_from(["grace", "hst"]))
    def heal(self, service: str) -> None:
        """A service is mended."""
        self.journey.take({"heal": service})
        self.faults = len(self.journey.world.plan.rules)

    @rule(seconds=PAUSES)
    def wait(self, seconds: float) -> None:
        """Time goes by."""
        self.journey.take({"advance": seconds})

    @rule()
    def restart(self) -> None:
        """The server is started anew."""
        self.journey.take({"restart": "server"})

    @rule(call=CALLED)
    def recover(self, call: Call) -> None:
        """Everything is healed: after a while a call comes to what it always does."""
        self.journey.take({"heal": "all"})
        self.journey.take({"advance": REST_S})
        self.faults = 0
        expect = {} if call[0] in WITH_CHAIN else {"data": {"equals": calm()[call]}}
        self.asked.add(call)
        self.journey.take({"call": call[0], **_told(call), **({"expect": expect} if expect else {})})

    def teardown(self) -> None:
        """End it well: nothing is left running, and nothing was computed twice."""
        if not hasattr(self, "journey") or self.journey.symptoms:
            return
        with self.journey as journey:
            journey.take({"heal": "all"})
            journey.take({"advance": REST_S})
            computed = {name: {"le": self._most(name)} for name in MODULES} if journey.elapsed < LONGEST_S else {}
            journey.end({"jobs": {"IN_QUEUE": 0, "IN_PROGRESS": 0}, "computed": computed})

    def _most(self, module: str) -> int:
        """How often a module may have been computed: once for each call that it may have answered."""
        return sum(tool in TOOLS and module in chain_of(TOOLS[tool].name) for tool, _ in self.asked)


WholeWorld.TestCase.settings = settings(max_examples=settings.default.max_examples // 2, stateful_step_count=8)
TestWholeWorld = WholeWorld.TestCase
