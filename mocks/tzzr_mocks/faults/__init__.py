"""The fault kinds that every fake shares, one file each; importing this package makes them known to plans."""

from __future__ import annotations

from tzzr_mocks.faults.bad_gzip import BadGzip
from tzzr_mocks.faults.codes import ModuleFailure
from tzzr_mocks.faults.connect_timeout import ConnectTimeout
from tzzr_mocks.faults.connection_refused import ConnectionRefused
from tzzr_mocks.faults.dns_failure import DnsFailure
from tzzr_mocks.faults.drift import Drift
from tzzr_mocks.faults.duplicate import Duplicate
from tzzr_mocks.faults.empty_body import EmptyBody
from tzzr_mocks.faults.hang_before_headers import HangBeforeHeaders
from tzzr_mocks.faults.hang_in_body import HangInBody
from tzzr_mocks.faults.html_page import HtmlPage
from tzzr_mocks.faults.latency import Latency
from tzzr_mocks.faults.malformed_json import MalformedJson
from tzzr_mocks.faults.module_down import ModuleDown
from tzzr_mocks.faults.module_error import ModuleError
from tzzr_mocks.faults.module_fault import ModuleFault
from tzzr_mocks.faults.module_slow import ModuleSlow
from tzzr_mocks.faults.module_timeout import ModuleTimeout
from tzzr_mocks.faults.pool_exhausted import PoolExhausted
from tzzr_mocks.faults.rate_limited import RateLimited
from tzzr_mocks.faults.reset_before_headers import ResetBeforeHeaders
from tzzr_mocks.faults.reset_in_body import ResetInBody
from tzzr_mocks.faults.slow_drip import SlowDrip
from tzzr_mocks.faults.stale import Stale
from tzzr_mocks.faults.status import Status
from tzzr_mocks.faults.tls_failure import TlsFailure
from tzzr_mocks.faults.truncated_body import TruncatedBody
from tzzr_mocks.faults.truncated_json import TruncatedJson
from tzzr_mocks.faults.wire_fault import WireFault
from tzzr_mocks.faults.wrong_content_type import WrongContentType

__all__ = [
    "BadGzip",
    "ConnectTimeout",
    "ConnectionRefused",
    "DnsFailure",
    "Drift",
    "Duplicate",
    "EmptyBody",
    "HangBeforeHeaders",
    "HangInBody",
    "HtmlPage",
    "Latency",
    "MalformedJson",
    "ModuleDown",
    "ModuleError",
    "ModuleFailure",
    "ModuleFault",
    "ModuleSlow",
    "ModuleTimeout",
    "PoolExhausted",
    "RateLimited",
    "ResetBeforeHeaders",
    "ResetInBody",
    "SlowDrip",
    "Stale",
    "Status",
    "TlsFailure",
    "TruncatedBody",
    "TruncatedJson",
    "WireFault",
    "WrongContentType",
]
