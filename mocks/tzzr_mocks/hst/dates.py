"""Dates as JavaScript's ``Date`` reads them: ISO 8601, and the looser forms that V8 takes. The server's zone is UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_ZONE = r"(?P<zone>Z|[+-]\d\d:?\d\d)?"
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
    r"(?:T(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?" + _ZONE + ")?",
    re.ASCII,
)
_TIME = (
    r"(?:[T ,]+(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?"
    r"(?: *(?P<half>[AaPp][Mm]))?(?: *(?:UTC|GMT))? *" + _ZONE + ")?"
)
_NAME = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_LOOSE = tuple(
    re.compile(r"\s*" + form + _TIME + r"\s*", re.ASCII | re.IGNORECASE)
    for form in (
        r"(?P<year>\d{3,6})[/-](?P<month>\d\d?)[/-](?P<day>\d\d?)",
        r"-?(?P<month>\d\d?)[/-](?P<day>\d\d?)[/-](?P<year>\d{1,4})",
        r"(?:[a-z]{3,9},? +)?" + _NAME + r" +(?P<day>\d\d?),? +(?P<year>\d{1,4})",
        r"(?:[a-z]{3,9},? +)?(?P<day>\d\d?) +" + _NAME + r" +(?P<year>\d{1,4})",
        r"-?(?P<month>\d\d?)[ ,./-](?P<day>\d\d?)",
    )
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NO_YEAR = 2001
"""V8's year for a date without one."""


def read_date(text: str) -> datetime | None:
    """The instant, or None where ``Date`` would be invalid."""
    found = _ISO.fullmatch(text)
    if found is None and re.fullmatch(r"\s*-?\d{1,2}\s*", text, re.ASCII):
        return _number(abs(int(text)))
    if found is None:
        found = next((match for form in _LOOSE if (match := form.fullmatch(text))), None)
    return None if found is None else _moment({name: value or "" for name, value in found.groupdict().items()})


def _number(number: int) -> datetime | None:
    """A lone number is a month of 2001, or a year of two digits."""
    if 1 <= number <= 12:
        return datetime(_NO_YEAR, number, 1, tzinfo=UTC)
    return None if 13 <= number <= 31 else datetime(_century(number), 1, 1, tzinfo=UTC)


def _century(year: int) -> int:
    return year + (2000 if year < 50 else 1900 if year < 100 else 0)


def _moment(part: dict[str, str]) -> datetime | None:
    month = _MONTHS.index(part["name"].lower()) + 1 if part.get("name") else int(part.get("month") or 1)
    year = _NO_YEAR if "year" not in part else int(part["year"])
    year = _century(year) if len(part.get("year", "")) < 3 else year
    hour = _hour(int(part["hour"] or 0), part.get("half", ""))
    micro = int((part["fraction"] or "0")[:3].ljust(3, "0")) * 1000
    try:
        day = datetime(year, month, int(part.get("day") or 1), tzinfo=UTC)
    except ValueError:
        return None
    minute, second = int(part["minute"] or 0), int(part["second"] or 0)
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and (minute or second or micro)):
        return None
    return day + timedelta(hours=hour, minutes=minute, seconds=second, microseconds=micro) - _offset(part["zone"])


def _hour(hour: int, half: str) -> int:
    if not half:
        return hour
    return hour % 12 + (12 if half.lower() == "pm" else 0)


def _offset(zone: str) -> timedelta:
    if zone in ("", "Z", "z"):
        return timedelta()
    digits = zone[1:].replace(":", "")
    size = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -size if zone[0] == "-" else size
