"""Counts the sides that a property reached, fails a long search that missed one, and tells all of them at its end."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.property.sides import SEEN, complaints

LONG = ("ci", "deep")


def _is_long() -> bool:
    return settings.get_current_profile_name() in LONG


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Check a property's sides after its last example."""
    SEEN.clear()
    result = yield
    marker = pyfuncitem.get_closest_marker("sides")
    pyfuncitem.user_properties.append(("sides", dict(SEEN)))
    if wrong := complaints(marker.args if marker else (), SEEN, all_of_them=_is_long()):
        pytest.fail("; ".join(wrong), pytrace=False)
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each property that has sides."""
    reports = [report for report in terminalreporter.stats.get("passed", ()) if _is_long()]
    lines = [f"{report.nodeid.rpartition('/')[2]}: {told}" for report in reports if (told := _told(report))]
    if lines:
        terminalreporter.section("sides reached")
        terminalreporter.write_line("\n".join(sorted(lines)))


def _told(report: pytest.TestReport) -> str:
    seen: dict[str, int] = dict(report.user_properties).get("sides", {})  # type: ignore[assignment]
    return ", ".join(f"{name} {count}" for name, count in seen.items())
