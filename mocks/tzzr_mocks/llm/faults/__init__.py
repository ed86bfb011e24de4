"""Fault kinds of the model's fake, one file each; importing this package makes them known to plans.

Rate limits, statuses and latency are faults of every fake: ``rate_limited``, ``status`` and ``latency`` in
`tzzr_mocks.faults`.
"""

from __future__ import annotations

from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.faults.context_too_long import ContextTooLong
from tzzr_mocks.llm.faults.cut_short import CutShort
from tzzr_mocks.llm.faults.hallucinated_tool import HallucinatedTool
from tzzr_mocks.llm.faults.key_refused import KeyRefused
from tzzr_mocks.llm.faults.loops import Loops
from tzzr_mocks.llm.faults.malformed_tool_json import MalformedToolJson
from tzzr_mocks.llm.faults.overloaded import Overloaded
from tzzr_mocks.llm.faults.quota_exhausted import QuotaExhausted
from tzzr_mocks.llm.faults.refuses import Refuses
from tzzr_mocks.llm.faults.says_nothing import SaysNothing
from tzzr_mocks.llm.faults.slow_first_token import SlowFirstToken
from tzzr_mocks.llm.faults.stalls import Stalls
from tzzr_mocks.llm.faults.stream_error import StreamError
from tzzr_mocks.llm.faults.wrong_types import WrongTypes

__all__ = [
    "ContextTooLong",
    "CutShort",
    "HallucinatedTool",
    "KeyRefused",
    "Loops",
    "MalformedToolJson",
    "ModelFault",
    "Overloaded",
    "QuotaExhausted",
    "Refuses",
    "SaysNothing",
    "SlowFirstToken",
    "Stalls",
    "StreamError",
    "WrongTypes",
]
