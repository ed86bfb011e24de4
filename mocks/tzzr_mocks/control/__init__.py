"""The control plane of the fakes: fault plan, journal, occasions. Written once, used by each fake."""

from __future__ import annotations

from tzzr_mocks.control.errors import PlanError
from tzzr_mocks.control.exchange import Body, Exchange, Reply
from tzzr_mocks.control.fault import KINDS, Fault, ReplyFault, Scene
from tzzr_mocks.control.journal import Journal
from tzzr_mocks.control.match import Match
from tzzr_mocks.control.occasion import Occasion, Point
from tzzr_mocks.control.plan import FaultPlan
from tzzr_mocks.control.plane import Control
from tzzr_mocks.control.redaction import Redaction
from tzzr_mocks.control.rule import FaultRule
from tzzr_mocks.control.schedule import Schedule
from tzzr_mocks.control.surface import Surface

__all__ = [
    "KINDS",
    "Body",
    "Control",
    "Exchange",
    "Fault",
    "FaultPlan",
    "FaultRule",
    "Journal",
    "Match",
    "Occasion",
    "PlanError",
    "Point",
    "Redaction",
    "Reply",
    "ReplyFault",
    "Scene",
    "Schedule",
    "Surface",
]
