"""The kit of ``tzzr conform``: rules, who is asked, verdicts and reports, the same for every kind of service.

A rule asks a service through a probe and says what it expected and what came. Rules are written from the published
contract and the protocol, never from an implementation, so that a mistake of ours cannot agree with itself.
"""

from __future__ import annotations

from tzzr_scenarios.conform.rule import Broken, Exchange, NotJudged, Rule, RuleBook, hold
from tzzr_scenarios.conform.verdict import Difference, Outcome, Verdict

__all__ = [
    "Broken",
    "Difference",
    "Exchange",
    "NotJudged",
    "Outcome",
    "Rule",
    "RuleBook",
    "Verdict",
    "hold",
]
