"""Points in time as Directus reads them in a filter: dates and ``$NOW(-1 year)``."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tzzr_mocks.hst.dates import read_date
from tzzr_mocks.hst.javascript import Number

NOT_A_DATE = "Invalid Date"
"""What stands for anything else; SQLite holds every text to be greater than every number, hence "all rows are earlier"."""

_CYCLE = 146_097 * 86_400_000
"""Milliseconds of 400 years, after which the calendar repeats."""

_NOW = re.compile(r"\$NOW(?:\((?P<shift>.*)\))?")
_SHIFT = re.compile(r"(?P<amount>[+-]?\d+(?:\.\d+)?) *(?P<unit>[a-z]+)", re.ASCII)
_UNITS = {
    ("second", "seconds", "secs", "sec", "s"): 1.0,
    ("minute", "minutes", "mins", "min", "m"): 60.0,
    ("hour", "hours", "hrs", "hr", "h"): 3600.0,
    ("day", "days", "d"): 86400.0,
    ("week", "weeks", "w"): 7 * 86400.0,
    ("month", "months", "mth", "mo"): 30.4375 * 86400.0,
    ("year", "years", "yrs", "yr", "y"): 365.25 * 86400.0,
}
_SECONDS = {name: seconds for names, seconds in _UNITS.items() for name in names}


def is_now(value: Any) -> bool:
    """Whether a value is ``$NOW``, shifted or not."""
    return isinstance(value, str) and _NOW.fullmatch(value) is not None


def read_now(value: str, now: Callable[[], datetime]) -> int:
    """``$NOW(-1 year)`` in milliseconds since 1970."""
    call = _NOW.fullmatch(value)
    return milliseconds(_shifted(now(), call["shift"] if call else None))


def read_instant(value: Any, now: Callable[[], datetime]) -> Number | str:
    """Milliseconds since 1970, or `NOT_A_DATE`; a number is taken for milliseconds, true for one."""
    if not isinstance(value, str):
        return value if isinstance(value, int | float) else NOT_A_DATE
    if is_now(value):
        return read_now(value, now)
    moment = read_date(value)
    return NOT_A_DATE if moment is None else milliseconds(moment)


def milliseconds(moment: datetime) -> int:
    """How SQLite keeps a timestamp."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def instant(milliseconds: float) -> datetime:
    """The reverse of `milliseconds`."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)


def written_far(milliseconds: float) -> str:
    """An instant as answers show it, also beyond the year 9999, which a sum of dates reaches: ``+034567-01-01T…``."""
    cycles = max(0, int(milliseconds // _CYCLE) - 10)
    text = written(instant(milliseconds - cycles * _CYCLE))
    year = int(text[:4]) + 400 * cycles
    return f"{year:04}{text[4:]}" if year <= 9999 else f"+{year:06}{text[4:]}"


def written(moment: datetime) -> str:
    """As answers show it: ``2023-08-28T16:29:24.000Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shifted(moment: datetime, shift: str | None) -> datetime:
    if not shift:
        return moment
    found = _SHIFT.fullmatch(shift.strip().lower())
    if found is None or found["unit"] not in _SECONDS:
        return moment
    return moment + timedelta(seconds=float(found["amount"]) * _SECONDS[found["unit"]])
