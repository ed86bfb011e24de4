"""Points in time as Directus reads them in a filter: ISO 8601 texts and ``$NOW(-1 year)``."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

NOT_A_DATE = "Invalid Date"
"""What stands for anything else; SQLite holds every text to be greater than every number, hence "all rows are earlier"."""

_ISO = re.compile(
    r"(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d))?)?"
    r"(?:[T ](?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?)?"
    r"(?P<zone>Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
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


def read_instant(value: Any, now: Callable[[], datetime]) -> int | str:
    """Milliseconds since 1970, or `NOT_A_DATE`."""
    if not isinstance(value, str):
        return NOT_A_DATE
    call = _NOW.fullmatch(value)
    moment = _shifted(now(), call["shift"]) if call else _iso(value)
    return NOT_A_DATE if moment is None else milliseconds(moment)


def milliseconds(moment: datetime) -> int:
    """How SQLite keeps a timestamp."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def instant(milliseconds: float) -> datetime:
    """The reverse of `milliseconds`."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)


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


def _iso(text: str) -> datetime | None:
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    part = {name: int(found[name] or default) for name, default in _DEFAULTS}
    micro = int((found["fraction"] or "0")[:3].ljust(3, "0")) * 1000
    try:
        moment = datetime(**part, microsecond=micro, tzinfo=UTC)
    except ValueError:
        return None
    return moment - _offset(found["zone"])


_DEFAULTS = (("year", 1970), ("month", 1), ("day", 1), ("hour", 0), ("minute", 0), ("second", 0))


def _offset(zone: str | None) -> timedelta:
    if zone is None or zone == "Z":
        return timedelta()
    digits = zone[1:].replace(":", "").ljust(4, "0")
    size = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -size if zone[0] == "-" else size
