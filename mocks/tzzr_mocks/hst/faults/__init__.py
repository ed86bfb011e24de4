"""Fault kinds of the HST fake, one file each; importing this package makes them known to plans.

Truncated bodies and HTML pages in an API's place are faults of every fake: ``truncated_json`` and ``html_page`` in
`tzzr_mocks.faults`.
"""

from __future__ import annotations

from tzzr_mocks.hst.faults.base import Reading, RowsFault
from tzzr_mocks.hst.faults.duplicate_row import DuplicateRow
from tzzr_mocks.hst.faults.expired_token import ExpiredToken
from tzzr_mocks.hst.faults.partial_page import PartialPage
from tzzr_mocks.hst.faults.permission_revoked import PermissionRevoked
from tzzr_mocks.hst.faults.schema_changed import SchemaChanged
from tzzr_mocks.hst.faults.slow_page import SlowPage
from tzzr_mocks.hst.faults.stale_read import StaleRead
from tzzr_mocks.hst.faults.wrong_total import WrongTotal

__all__ = [
    "DuplicateRow",
    "ExpiredToken",
    "PartialPage",
    "PermissionRevoked",
    "Reading",
    "RowsFault",
    "SchemaChanged",
    "SlowPage",
    "StaleRead",
    "WrongTotal",
]
