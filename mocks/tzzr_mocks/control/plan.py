"""The fault plan: the rules of one world, and which of them act now."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tzzr_mcp.seams import Dice, Seams
from tzzr_mocks.control.check import check
from tzzr_mocks.control.errors import unknown
from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.longform import from_mapping
from tzzr_mocks.control.occasion import Occasion, Point
from tzzr_mocks.control.rule import FaultRule
from tzzr_mocks.control.schedule import Tally
from tzzr_mocks.control.shortform import parse
from tzzr_mocks.control.stopwatch import Stopwatch
from tzzr_mocks.control.surface import Surface

Guard = Callable[[FaultRule], None]
"""Raises PlanError for a rule that cannot be where the plan is used, as on a server."""


@dataclass
class _Entry:
    """A rule in a plan: how far it has got, its dice, and whether it can still act."""

    rule: FaultRule
    dice: Dice
    tally: Tally = field(default_factory=Tally)
    active: bool = True


class FaultPlan:
    """What goes wrong in a world. Rules act in the order in which they were added; ``stopwatch`` is the world's."""

    def __init__(self, seams: Seams | None = None, stopwatch: Stopwatch | None = None) -> None:
        self.seams = seams or Seams()
        self.stopwatch = stopwatch or Stopwatch(self.seams.clock)
        self.surfaces: dict[str, Surface] = {}
        self.guards: list[Guard] = []
        self._entries: dict[str, _Entry] = {}
        self._added = 0

    def know(self, service: str, surface: Surface) -> None:
        """Learn what a fake offers, so that rules about it can be checked."""
        self.surfaces[service] = surface

    @property
    def rules(self) -> list[FaultRule]:
        """The rules that can still act, in order."""
        return [entry.rule for entry in self._entries.values() if entry.active]

    @property
    def ids(self) -> list[str]:
        """The ids of every rule that was added, those that were stopped among them."""
        return list(self._entries)

    def add(self, rule: FaultRule | str | Mapping[str, Any]) -> FaultRule:
        """Add a rule, its short form (``grace: OCR_LOCAL is down``) or its long form; returns it with its id.

        Raises:
            PlanError: it cannot be understood, or could never act.
        """
        ready = check(self._read(rule), self.surfaces, self.rules)
        for guard in self.guards:
            guard(ready)
        self._added += 1
        ready = replace(ready, id=ready.id or f"fault-{self._added}")
        self._entries[ready.id] = _Entry(ready, self.seams.dice.named("faults").named(ready.id))
        return ready

    def _read(self, rule: FaultRule | str | Mapping[str, Any]) -> FaultRule:
        if isinstance(rule, FaultRule):
            return rule
        if isinstance(rule, str):
            return parse(rule, self.surfaces)
        if len(rule) == 1 and isinstance(sentence := next(iter(rule.values())), str):
            return parse(f"{next(iter(rule))}: {sentence}", self.surfaces)
        return from_mapping(rule, self.surfaces)

    def remove(self, rule_id: str) -> None:
        """Stop one rule; it still counts for `unfired`.

        Raises:
            PlanError: there is no rule of that id.
        """
        self._entry(rule_id).active = False

    def resume(self, rule_id: str) -> None:
        """Let a stopped rule act again, from where it stood.

        Raises:
            PlanError: there is no rule of that id.
        """
        self._entry(rule_id).active = True

    def _entry(self, rule_id: str) -> _Entry:
        if rule_id not in self._entries:
            raise unknown("fault rule", rule_id, self._entries)
        return self._entries[rule_id]

    def heal(self, what: str | None = None) -> list[FaultRule]:
        """Stop every rule, or those whose id, service, module, kind or short form is ``what``; returns them."""
        healed = [rule for rule in self.rules if what is None or what in _names(rule)]
        for rule in healed:
            self._entries[rule.id].active = False
        return healed

    def clear(self) -> None:
        """Forget every rule, also those that never fired."""
        self._entries.clear()

    def fired(self, occasion: Occasion) -> list[Fault]:
        """The faults that act on this occasion, each counted and traced as a ``fault`` event."""
        return [rule.fault for rule in self.firing(occasion)]

    def firing(self, occasion: Occasion) -> list[FaultRule]:
        """Like `fired`, but the rules."""
        entries = [entry for entry in self._entries.values() if entry.active and _fits(entry.rule, occasion)]
        due = [entry for entry in entries if self._due(entry, occasion)]
        for entry in due:
            self._trace(entry, occasion)
        return [entry.rule for entry in due]

    def _due(self, entry: _Entry, occasion: Occasion) -> bool:
        key = occasion.key or occasion.trace_id
        return entry.tally.due(entry.rule.schedule, self.stopwatch.elapsed(), key, entry.dice)

    def _trace(self, entry: _Entry, occasion: Occasion) -> None:
        rule = entry.rule
        known = {"route": occasion.route, "module": occasion.module, "trace_id": occasion.trace_id}
        details = {name: value for name, value in known.items() if value is not None}
        told = {"rule": rule.id, "fault": rule.fault.kind, "sentence": rule.sentence(), "count": entry.tally.fired}
        self.seams.trace.record(occasion.service, "fault", **told, **details)

    def count(self, rule_id: str) -> int:
        """How often a rule has acted."""
        return self._entries[rule_id].tally.fired

    def dice_of(self, rule_id: str) -> Dice:
        """The dice of one rule."""
        return self._entries[rule_id].dice

    def unfired(self) -> list[FaultRule]:
        """The rules that never acted and are not optional, stopped ones included."""
        entries = self._entries.values()
        return [entry.rule for entry in entries if not entry.rule.optional and not entry.tally.fired]

    def has(self, point: Point) -> bool:
        """Whether a rule of this point can still act."""
        return any(rule.fault.point is point for rule in self.rules)

    def as_json(self) -> list[dict[str, Any]]:
        """Every rule in its long form, with how often it acted and whether it still can."""
        return [
            {**entry.rule.as_json(), "count": entry.tally.fired, "active": entry.active}
            for entry in self._entries.values()
        ]

    def snapshot(self) -> dict[str, Any]:
        """The plan's whole state, for `restore`."""
        return copy.deepcopy({"entries": self._entries, "added": self._added})

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        fresh = copy.deepcopy(dict(state))
        self._entries, self._added = fresh["entries"], fresh["added"]


def _fits(rule: FaultRule, occasion: Occasion) -> bool:
    return rule.fault.point is occasion.point and rule.match.fits(occasion)


def _names(rule: FaultRule) -> set[str | None]:
    text = rule.text.partition(":")[2].strip()
    return {rule.id, rule.match.service, rule.match.module, rule.fault.kind, rule.text or None, text or None}
