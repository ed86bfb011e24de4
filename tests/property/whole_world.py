"""A machine that uses the real server as its users do, in a world whose services fail, recover and are asked again.

Beside the verdicts, which hold in every scenario: each call comes to a right result or to one typed error; what is
asked again is not computed again; and once every fault is healed all works as before, and nothing is left running.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tzzr_mcp.contract.catalogue import MODULES, TOOLS, chain_of
from tzzr_scenarios import coverage
from tzzr_scenarios.search import Journey
from tzzr_scenarios.search.finds import Finds
from tzzr_scenarios.stage import ERAS, Offered
from tzzr_scenarios.sweep import CALLS

FOUND = Finds(Path(__file__).parents[2] / "scenarios" / "found", "tests/property/test_world.py")
CALL_S = 20
"""Seconds that the server gives a call."""
REST_S = 60
"""Seconds after which a healed world works again: every breaker has cooled down, no retry is to come."""
KEPT_S = 1200.0
"""Seconds for which GRACE keeps what it has computed, at least."""
TYPED = {"regex": "^(ok|(?!INTERNAL$)[A-Z]+(_[A-Z]+)*)$"}
"""A result, or an error whose code says more than that something went wrong within."""
SAID = {"module_error": {"code": "MODULE_UNAVAILABLE"}}
"""What a fault has GRACE say where it would say INTERNAL, which a user may not be told for any other reason."""
MOST_FAULTS = 3
KEPT = "backup"

Call = tuple[str, int]
"""A tool, and which of its calls."""
BEYOND = {"grace": {"job_expired_404"}, "hst": {"stale"}}
"""What nobody can notice: RunPod tells of no job that it forgets, and rows of Directus do not say which question they answer."""
KINDS = {
    service: sorted(
        {kind for tool in tools for kind in coverage.reachable(Offered(tuple(tools), (), ()))[tool]} - BEYOND[service]
    )
    for service in ("grace", "hst")
    for tools in [[tool for tool in CALLS if coverage.service_of(tool) == service]]
}
"""The fault kinds that some call of a service may meet."""


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A call of one of the machine's tools."""
    return draw(st.sampled_from(draw(st.runner()).tools)), draw(st.integers(0, 1))


@st.composite
def faults(draw: st.DrawFn) -> dict[str, Any]:
    """A fault of the machine's, with its schedule."""
    kinds = draw(st.runner()).kinds
    service = draw(st.sampled_from(sorted(kinds)))
    schedule = draw(st.sampled_from([{}, {"first": 1}, {"first": 3}, {"nth": 2}, {"every": 2}]))
    kind = draw(st.sampled_from(kinds[service]))
    rule = {"match": {"service": service}, "effect": {"kind": kind, **SAID.get(kind, {})}}
    return {**rule, "schedule": schedule} if schedule else rule


def with_arguments(call: Call) -> dict[str, Any]:
    """The tool's arguments, as a step says them."""
    tool, number = call
    return {"with": dict(CALLS[tool][number])}


@functools.cache
def calm(call: Call) -> Any:
    """What a call comes to where nothing goes wrong."""
    with Journey() as journey:
        seen = journey.take({"call": call[0], **with_arguments(call)})[-1].seen
        assert seen is not None
        return seen.data


def has_one_result(call: Call) -> bool:
    """Whether the tool has no second engine, whose result would be another."""
    return call[0] not in TOOLS or not TOOLS[call[0]].chain


class WholeWorld(RuleBasedStateMachine):
    """A world with faults that come and go, and one user, who has ``tools`` and meets faults of these ``kinds``."""

    finds = FOUND
    tools: Sequence[str] = tuple(CALLS)
    kinds: Mapping[str, Sequence[str]] = KINDS

    @initialize(
        seed=st.integers(0, 3),
        era=st.sampled_from(ERAS),
        kept=st.sampled_from([{}, {"HST_CACHE_TTL_S": 0}, {"GRACE_CACHE_TTL_S": 300}]),
    )
    def begin(self, seed: int, era: str, kept: Mapping[str, Any]) -> None:
        """Open it."""
        given = {"seed": seed, "settings": {"TZZR_CALL_TIMEOUT_S": CALL_S, **kept}}
        self.journey = Journey({**given, **({"era": era} if era != ERAS[0] else {})}, self.finds)
        self.asked: set[Call] = set()
        self.journey.take({"snapshot": KEPT})
        self.forgot = False

    def under_faults(self, call: Call) -> dict[str, Any]:
        """A call that comes to its one right result, or to a typed error."""
        self.asked.add(call)
        right = {"data": {"anyOf": [{"absent": True}, {"equals": calm(call)}]}} if has_one_result(call) else {}
        return {"call": call[0], **with_arguments(call), "expect": {"outcome": TYPED, **right}}

    @rule(call=calls())
    def call(self, call: Call) -> None:
        """Call a tool."""
        self.journey.take(self.under_faults(call))

    @rule(several=st.lists(calls(), min_size=2, max_size=4))
    def call_at_once(self, several: Sequence[Call]) -> None:
        """Call several tools at once, or one several times."""
        self.journey.take({"parallel": [self.under_faults(call) for call in several]})

    @rule(call=calls(), after=st.sampled_from([0.05, 0.6, 4.0]))
    def give_up(self, call: Call, after: float) -> None:
        """Call a tool, and give it up."""
        told = self.under_faults(call)
        self.journey.take({"cancel": told.pop("call"), **told, "after": after, "expect": {"outcome": TYPED}})

    @rule(fault=faults())
    def inject(self, fault: Mapping[str, Any]) -> None:
        """Something goes wrong from now on, unless there is enough of that."""
        standing = [rule.fault.kind for rule in self.journey.world.plan.rules]
        if len(standing) < MOST_FAULTS and fault["effect"]["kind"] not in standing:
            self.journey.take({"inject": {**fault, "optional": True}})

    @rule(service=st.sampled_from(sorted(KINDS)))
    def heal(self, service: str) -> None:
        """What goes wrong with a service is mended."""
        self.journey.take({"heal": service})

    @rule(seconds=st.sampled_from([0.5, 5.0, 16.0, 60.0]))
    def wait(self, seconds: float) -> None:
        """Time goes by."""
        self.journey.take({"advance": seconds})

    @rule()
    def restart(self) -> None:
        """The server is started anew."""
        self.journey.take({"restart": "server"})

    @rule()
    def keep(self) -> None:
        """The services are backed up."""
        self.journey.take({"snapshot": KEPT})

    @rule()
    def bring_back(self) -> None:
        """The backup is brought back: the services forget what they were told since."""
        self.journey.take({"restore": KEPT})
        self.forgot = True

    @rule(call=calls())
    def recover(self, call: Call) -> None:
        """All is mended: after a while a call comes to what it always does."""
        self.journey.take({"heal": "all"})
        self.journey.take({"advance": REST_S})
        self.asked.add(call)
        right = {"expect": {"data": {"equals": calm(call)}}} if has_one_result(call) else {}
        self.journey.take({"call": call[0], **with_arguments(call), **right})

    def teardown(self) -> None:
        """End well: nothing is left running, and nothing was computed twice."""
        if not hasattr(self, "journey"):
            return
        with self.journey as journey:
            if journey.symptoms:
                return
            journey.take({"heal": "all"})
            journey.take({"advance": REST_S})
            remembered = journey.elapsed < KEPT_S and not self.forgot
            counted = {"computed": self._computed()} if remembered else {}
            left = {"le": self._not_given_up()}
            journey.end({"jobs": {"IN_QUEUE": left, "IN_PROGRESS": left}, **counted})

    def _not_given_up(self) -> int:
        """Jobs that the server wanted to cancel and could not: their time to live ends them, which takes longer."""
        asked = self.journey.world.journal.of("grace")
        return sum("/cancel/" in exchange.path and exchange.status != HTTPStatus.OK for exchange in asked)

    def _computed(self) -> dict[str, Any]:
        """How often each module may have been computed: once for each call that only it answers."""
        asked = [TOOLS[tool].name for tool, _ in self.asked if tool in TOOLS]
        return {
            module: {"le": asked.count(module)}
            for module in MODULES
            if chain_of(module) == (module,) and module in asked
        }
