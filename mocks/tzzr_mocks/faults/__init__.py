"""The fault kinds that every fake shares, one file each; importing this package makes them known to plans."""

from __future__ import annotations

from tzzr_mocks.faults.bad_gzip import BadGzip
from tzzr_mocks.faults.codes import ModuleFailure
from tzzr_mocks.faults.drift import Drift
from tzzr_mocks.faults.empty_body import EmptyBody
from tzzr_mocks.faults.html_page import HtmlPage
from tzzr_mocks.faults.latency import Latency
from tzzr_mocks.faults.malformed_json import MalformedJson
from tzzr_mocks.faults.module_down import ModuleDown
from tzzr_mocks.faults.module_error import ModuleError
from tzzr_mocks.faults.module_fault import ModuleFault
from tzzr_mocks.faults.module_slow import ModuleSlow
from tzzr_mocks.faults.module_timeout import ModuleTimeout
from tzzr_mocks.faults.rate_limited import RateLimited
from tzzr_mocks.faults.status import Status
from tzzr_mocks.faults.truncated_json import TruncatedJson
from tzzr_mocks.faults.wrong_content_type import WrongContentType

__all__ = [
    "BadGzip",
    "Drift",
    "EmptyBody",
    "HtmlPage",
    "Latency",
    "MalformedJson",
    "ModuleDown",
    "ModuleError",
    "ModuleFailure",
    "ModuleFault",
    "ModuleSlow",
    "ModuleTimeout",
    "RateLimited",
    "Status",
    "TruncatedJson",
    "WrongContentType",
]
