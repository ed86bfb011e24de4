"""Asks rules of a service, one after another, and says what came of each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any, Protocol, TypeVar

from tzzr_mcp.seams.spelling import nearest
from tzzr_scenarios.conform.rule import Broken, Exchange, NotJudged, Rule
from tzzr_scenarios.conform.verdict import Verdict


class Probe(Protocol):
    """What rules ask a service through."""

    @property
    def ways(self) -> frozenset[str]:
        """What `Rule.only` is held against: how the service is reached, and in which era."""
        ...

    @property
    def last(self) -> Exchange | None:
        """The latest exchange that a rule looked at."""
        ...

    def begin(self) -> None:
        """Another rule begins: what the one before looked at is no evidence for it."""
        ...


P = TypeVar("P", bound=Probe)


async def verdicts(
    probe: P, rules: Iterable[Rule[P]], *, where: str = "", changes: bool = False
) -> AsyncIterator[Verdict]:
    """The verdict on each rule that holds in the probe's ways."""
    for rule in rules:
        if rule.only <= probe.ways:
            yield await _verdict(probe, rule, where, changes)


async def _verdict(probe: P, rule: Rule[P], where: str, changes: bool) -> Verdict:
    told: dict[str, Any] = {"rule": rule.id, "says": rule.says, "source": rule.source, "where": where}
    if rule.changes and not changes:
        return Verdict(**told, outcome="left out", reason="it changes something; --changes allows it")
    probe.begin()
    try:
        await rule.check(probe)
    except Broken as broken:
        return Verdict(**told, outcome="failed", request=broken.exchange.request, differences=broken.differences)
    except NotJudged as reason:
        return Verdict(**told, outcome="left out", request=_shown(probe), reason=str(reason))
    return Verdict(**told, outcome="passed", request=_shown(probe))


def _shown(probe: Probe) -> str:
    return probe.last.request if probe.last else ""


def chosen(known: Sequence[str], wanted: Sequence[str], what: str = "rule") -> set[str]:
    """The ids that match one of ``wanted``: an id, the beginning of one up to a dot, or a pattern with ``*``.

    Raises:
        ValueError: one of them matches nothing; the nearest id is told.
    """
    found: set[str] = set()
    for word in wanted:
        these = {name for name in known if name == word or name.startswith(f"{word}.") or fnmatchcase(name, word)}
        if not these:
            near = nearest(word, known)
            hint = f"did you mean {near}? " if near else ""
            raise ValueError(f"--rule {word!r} is no {what}; {hint}--list shows them all")
        found |= these
    return found if wanted else set(known)
