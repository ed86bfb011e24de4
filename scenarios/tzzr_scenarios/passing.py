"""What of a value is only of its moment: when it was said, how long it took, under which id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tzzr_mocks.control.redaction import BLOT

PASSING = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # a UUID
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?Z?)?"  # a moment
    r"|\b\d+(?:[.,]\d+)? ?(?:ms|s|segundos?|seconds?)\b"  # how long it took
    r"|https?://(?:[\w.-]+\.test|127\.0\.0\.1|localhost)(?::\d+)?"  # where the fakes are this time
    rf"|{re.escape(BLOT)}",
    re.IGNORECASE,
)
"""What passes, within a text."""
PASSING_NAME = re.compile(
    r"(?:^|_)(?:ms|at|timestamp|latency|elapsed|uptime|duration|traceid|trace_id|request_id|job_id)$|Ms$|At$|[a-z]TraceId$",
    re.IGNORECASE,
)
"""The names of what passes, whatever the value."""


def masked(value: Any) -> Any:
    """The value without what passes: two of them are equal when they say the same at different times."""
    if isinstance(value, Mapping):
        return {key: masked(item) for key, item in value.items() if not PASSING_NAME.search(key)}
    if isinstance(value, list | tuple):
        return [masked(item) for item in value]
    return PASSING.sub("…", value) if isinstance(value, str) else value
