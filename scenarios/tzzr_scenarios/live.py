"""Scenarios against the real services: which of them may be played there, and what is not held of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tzzr_scenarios.language.models import (
    AdvanceStep,
    ChatStep,
    HealStep,
    InjectStep,
    RestoreStep,
    Scenario,
    SnapshotStep,
    all_steps,
)
from tzzr_scenarios.wires import UNTIMED

LONGEST_ADVANCE_S = 5.0
"""Seconds that a scenario may let pass."""
UNHELD: Mapping[str, str] = {
    **UNTIMED,
    "upstream": "nobody looks into the real services",
    "source.simulated": "they are not",
}
"""What of an expectation is not held live, each with the reason; nor is `after`."""
_SERVICES = ("RUNPOD_", "GRACE_", "HST_", "CONTEXT_")
_ADDRESSES = {"GRACE": "GRACE_BASE_URL", "HST": "HST_BASE_URL", "the Context Manager": "CONTEXT_BASE_URL"}


def unfit(scenario: Scenario) -> str:
    """Why a scenario cannot be played live; nothing when it can."""
    return next(_obstacles(scenario), "")


def _obstacles(scenario: Scenario) -> Iterator[str]:
    steps = list(all_steps(scenario.steps))
    if scenario.given.faults or any(isinstance(step, InjectStep | HealStep) for step in steps):
        yield "injects faults, which only the fakes have"
    if any(isinstance(step, SnapshotStep | RestoreStep) for step in steps):
        yield "takes snapshots, which only the fakes have"
    if any(isinstance(step, ChatStep) for step in steps):
        yield "asks the fake of a model"
    if scenario.given.world != "default":
        yield f"begins in the world {scenario.given.world!r}, which only the fakes have"
    for name in scenario.given.settings:
        if name.startswith(_SERVICES):
            yield f"sets {name}, which the environment says"
    passing = sum(step.advance for step in steps if isinstance(step, AdvanceStep))
    if passing > LONGEST_ADVANCE_S:
        yield f"lets {passing:g} s pass, and {LONGEST_ADVANCE_S:g} s are allowed in real time"


def secrets(environ: Mapping[str, str]) -> frozenset[str]:
    """The values that no user may see."""
    held = (value for name, value in environ.items() if name.endswith(("_KEY", "_TOKEN")))
    return frozenset(value for value in held if len(value) > 5)


def addresses(environ: Mapping[str, str]) -> str:
    """The services that will be asked, on one line."""
    named = (f"{service} at {environ.get(name) or 'its usual address'}" for service, name in _ADDRESSES.items())
    return ", ".join(named)
