"""What every answer looks like: its members, the ids, the metrics, and how it tells a failure (contract §2)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import hold

MEMBERS: Final = ("contract_version", "profile", "envelope", "routing", "status", "result", "failure", "metrics")
RETRYABLE: Final = {
    "CONTRACT_INVALID": False, "CONTRACT_VERSION_UNSUPPORTED": False, "MODULE_UNKNOWN": False,
    "PAYLOAD_UNSUPPORTED": False, "PAYLOAD_TOO_LARGE": False, "PAYLOAD_CORRUPT": False, "PARAMS_INVALID": False,
    "LANG_UNSUPPORTED": False, "LOW_CONFIDENCE": False, "MODULE_UNAVAILABLE": True, "MODULE_TIMEOUT": True,
    "RATE_LIMITED": True, "FALLBACK_EXHAUSTED": True, "INTERNAL": True,
}  # fmt: skip
"""The codes of contract §2, and whether the same request may succeed later."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def count(value: Any) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


@BOOK.rule("form.object", "§2")
async def answers_with_an_object(probe: Probe) -> None:
    """Every request is answered with one JSON object."""
    for answer in (*await probe.goods(), *await probe.refused()):
        came = answer.delivery.trouble or type(answer.delivery.output).__name__
        hold(answer, isinstance(answer.delivery.output, dict), "answer", "a JSON object", came)


@BOOK.rule("form.members", "§2")
async def has_every_member(probe: Probe) -> None:
    """An answer has all eight members; ``result`` and ``failure`` are null where they do not apply, never left out."""
    for answer in await probe.every():
        missing = [name for name in MEMBERS if name not in answer.document]
        hold(answer, not missing, "answer", "members " + ", ".join(MEMBERS), f"without {', '.join(missing)}")


@BOOK.rule("form.version", "§2: contract_version")
async def speaks_the_version(probe: Probe) -> None:
    """``contract_version`` is "2.1"."""
    for answer in await probe.every():
        came = answer.at("contract_version")
        hold(answer, came in ("2.1", NOTHING), "contract_version", "2.1", came)


@BOOK.rule("form.profile", "§2: profile")
async def echoes_the_profile(probe: Probe) -> None:
    """``profile`` is the request's: LITE for a text, FULL for a picture or a recording."""
    for answer in await probe.every():
        came = answer.at("profile")
        hold(answer, came in (answer.asked["profile"], NOTHING), "profile", answer.asked["profile"], came)


@BOOK.rule("form.status", "§2: status")
async def has_a_status(probe: Probe) -> None:
    """``status`` is OK, DEGRADED or ERROR."""
    for answer in await probe.every():
        came = answer.at("status")
        hold(answer, came in ("OK", "DEGRADED", "ERROR", NOTHING), "status", "OK, DEGRADED or ERROR", came)


@BOOK.rule("form.result", "§2: status")
async def gives_a_result_or_a_failure(probe: Probe) -> None:
    """An answer has either a ``result`` or a ``failure``, the other one is null."""
    for answer in await probe.every():
        result, failure = answer.at("result"), answer.at("failure")
        if NOTHING not in (result, failure):
            both = [name for name, value in (("result", result), ("failure", failure)) if value is not None]
            hold(answer, len(both) == 1, "result, failure", "one of them null", " and ".join(both) or "both null")


@BOOK.rule("form.error-status", "§2: status")
async def says_error_when_it_failed(probe: Probe) -> None:
    """``status`` is ERROR exactly when there is a ``failure``."""
    for answer in await probe.every():
        status, failed = answer.at("status"), isinstance(answer.at("failure"), dict)
        if status in ("OK", "DEGRADED", "ERROR"):
            hold(answer, failed == (status == "ERROR"), "status", "ERROR" if failed else "OK or DEGRADED", status)


@BOOK.rule("form.no-error", "§2: why it is called failure")
async def has_no_error_member(probe: Probe) -> None:
    """No member is called ``error``: a RunPod worker would take it out and make the job FAILED."""
    for answer in await probe.every():
        hold(answer, "error" not in answer.document, "error", NOTHING, answer.at("error"))


@BOOK.rule("envelope.trace", "§2: envelope")
async def echoes_the_trace(probe: Probe) -> None:
    """``envelope.trace_id`` is the request's."""
    await _echo(probe, "trace_id")


@BOOK.rule("envelope.key", "§2: envelope")
async def echoes_the_key(probe: Probe) -> None:
    """``envelope.idempotency_key`` is the request's."""
    await _echo(probe, "idempotency_key")


async def _echo(probe: Probe, name: str) -> None:
    for answer in await probe.every():
        hold(answer, answer.at("envelope", name) == answer.asked["envelope"][name], f"envelope.{name}",
             answer.asked["envelope"][name], answer.at("envelope", name))  # fmt: skip


@BOOK.rule("envelope.timestamp", "§1: envelope.timestamp")
async def stamps_the_time(probe: Probe) -> None:
    """``envelope.timestamp`` is RFC 3339 in UTC with milliseconds and Z."""
    for answer in await probe.every():
        came = answer.at("envelope", "timestamp")
        hold(answer, _is_time(came), "envelope.timestamp", "such as 2026-01-04T10:15:30.123Z", came)


def _is_time(text: Any) -> bool:
    if not isinstance(text, str) or not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


@BOOK.rule("metrics.duration", "§2: metrics")
async def says_how_long_it_took(probe: Probe) -> None:
    """``metrics.duration_ms`` is a whole number of milliseconds from 0 on."""
    for answer in await probe.every():
        came = answer.at("metrics", "duration_ms")
        hold(answer, count(came), "metrics.duration_ms", "a whole number from 0 on", came)


@BOOK.rule("metrics.simulated", "§2: metrics.simulated")
async def says_whether_it_is_a_fake(probe: Probe) -> None:
    """``metrics.simulated`` says with true or false whether a fake computed the answer."""
    await _truth(probe, "simulated")


@BOOK.rule("metrics.invented", "§2: metrics.invented")
async def says_whether_it_made_content_up(probe: Probe) -> None:
    """``metrics.invented`` says with true or false whether content was made up."""
    await _truth(probe, "invented")


async def _truth(probe: Probe, name: str) -> None:
    for answer in await probe.every():
        came = answer.at("metrics", name)
        hold(answer, isinstance(came, bool), f"metrics.{name}", "true or false", came)


async def failures(probe: Probe) -> list[Answer]:
    """Every answer that has a failure."""
    return [answer for answer in await probe.every() if isinstance(answer.at("failure"), dict)]


@BOOK.rule("failure.code", "§2: error codes")
async def fails_with_a_known_code(probe: Probe) -> None:
    """``failure.code`` is one of the fourteen codes of the contract."""
    for answer in await failures(probe):
        came = answer.at("failure", "code")
        hold(answer, came in RETRYABLE, "failure.code", ", ".join(RETRYABLE), came)


@BOOK.rule("failure.message", "§2: failure")
async def tells_what_failed(probe: Probe) -> None:
    """``failure.message`` is a text."""
    for answer in await failures(probe):
        came = answer.at("failure", "message")
        kept = isinstance(came, str) and came != NOTHING and bool(came.strip())
        hold(answer, kept, "failure.message", "a text", came)


@BOOK.rule("failure.retryable", "§2: error codes")
async def says_whether_to_try_again(probe: Probe) -> None:
    """``failure.retryable`` is what the contract's table says of the code."""
    for answer in await failures(probe):
        code, came = answer.at("failure", "code"), answer.at("failure", "retryable")
        expected = RETRYABLE.get(code, came)
        hold(answer, isinstance(came, bool) and came == expected, "failure.retryable", expected, came)
