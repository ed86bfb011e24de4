"""Who was asked, who was tried, who answered (contract §2, "Who falls back" in §3)."""

from __future__ import annotations

from typing import Any

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.form import count
from tzzr_scenarios.conform.grace.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold


@BOOK.rule("routing.module", "§2: routing.module")
async def echoes_the_module(probe: Probe) -> None:
    """``routing.module`` is the one that was asked for, also when there is none of that name."""
    for answer in await probe.every():
        hold(answer, answer.at("routing", "module") == answer.module, "routing.module", answer.module,
             answer.at("routing", "module"))  # fmt: skip


@BOOK.rule("routing.unnamed", "§2: routing.module")
async def says_empty_when_no_module_was_named(probe: Probe) -> None:
    """``routing.module`` is empty when the request named none."""
    asked = samples.text("CLASSIFIER")
    answer = await probe.ask({**asked, "routing": {"version": "1.0"}})
    hold(answer, answer.at("routing", "module") == "", "routing.module", "", answer.at("routing", "module"))


@BOOK.rule("routing.version", "§2: routing")
async def echoes_the_version_of_the_module(probe: Probe) -> None:
    """``routing.version`` is "1.0"."""
    for answer in await probe.every():
        hold(
            answer, answer.at("routing", "version") == "1.0", "routing.version", "1.0", answer.at("routing", "version")
        )


@BOOK.rule("routing.resolved", "§2: routing.resolved")
async def names_who_answered(probe: Probe) -> None:
    """``routing.resolved`` is the module that answered: the one asked, or one of its chain."""
    for answer in _answered(await probe.goods()):
        names = samples.chain(answer.module)
        hold(answer, answer.at("routing", "resolved") in names, "routing.resolved", " or ".join(names),
             answer.at("routing", "resolved"))  # fmt: skip


@BOOK.rule("routing.unresolved", "§2: routing.resolved")
async def names_nobody_when_it_failed(probe: Probe) -> None:
    """``routing.resolved`` is null on ERROR."""
    for answer in await probe.every():
        if answer.at("status") == "ERROR":
            came = answer.at("routing", "resolved")
            hold(answer, came is None, "routing.resolved", None, came)


@BOOK.rule("routing.degraded", "§2: status")
async def is_degraded_when_another_answered(probe: Probe) -> None:
    """``status`` is OK when the first of the chain answered, DEGRADED when a later one did."""
    for answer in _answered(await probe.goods()):
        names, who = samples.chain(answer.module), answer.at("routing", "resolved")
        if who in names and answer.at("status") in ("OK", "DEGRADED"):
            expected = "OK" if who == names[0] else "DEGRADED"
            hold(answer, answer.at("status") == expected, "status", expected, answer.at("status"))


@BOOK.rule("routing.attempts", "§2: routing.attempts")
async def lists_who_was_tried(probe: Probe) -> None:
    """``routing.attempts`` is the chain in its order up to who answered, each once; one attempt without a chain."""
    for answer in _answered(await probe.goods()):
        names, who = samples.chain(answer.module), answer.at("routing", "resolved")
        if who in names:
            listed = answer.at("routing", "attempts")
            came = [_named(attempt) for attempt in listed] if isinstance(listed, list) else listed
            hold(answer, came == [*names[: names.index(who) + 1]], "routing.attempts",
                 list(names[: names.index(who) + 1]), came)  # fmt: skip


@BOOK.rule("routing.no-attempts", "§2: routing.module")
async def tries_nobody_for_an_unknown_module(probe: Probe) -> None:
    """``routing.attempts`` is empty when there is no module of that name."""
    answer = await probe.ask(samples.text("NO_SUCH_MODULE"))
    hold(answer, answer.at("routing", "attempts") == [], "routing.attempts", [], answer.at("routing", "attempts"))


@BOOK.rule("routing.attempt-status", "§2: routing.attempts")
async def says_how_each_attempt_ended(probe: Probe) -> None:
    """Of an answered request the last attempt is OK and those before are ERROR."""
    for answer in _answered(await probe.goods()):
        came = [attempt.get("status") for attempt in _attempts(answer)]
        expected = ["ERROR"] * (len(came) - 1) + ["OK"]
        hold(answer, came == expected, "routing.attempts[].status", expected, came)


@BOOK.rule("routing.attempt-error", "§2: routing.attempts")
async def tells_why_an_attempt_failed(probe: Probe) -> None:
    """An attempt has an ``error`` exactly when its status is ERROR."""
    for answer in await probe.every():
        for index, attempt in enumerate(_attempts(answer)):
            if attempt.get("status") in ("OK", "ERROR"):
                kept = isinstance(attempt.get("error"), dict) == (attempt["status"] == "ERROR")
                hold(answer, kept and attempt.get("error", {}) is not None, f"routing.attempts[{index}].error",
                     "present exactly on ERROR", attempt)  # fmt: skip


@BOOK.rule("routing.attempt-duration", "§2: routing.attempts")
async def says_how_long_each_attempt_took(probe: Probe) -> None:
    """Every attempt has its ``duration_ms``, a whole number from 0 on."""
    for answer in await probe.every():
        for index, attempt in enumerate(_attempts(answer)):
            came = attempt.get("duration_ms", NOTHING)
            hold(answer, count(came), f"routing.attempts[{index}].duration_ms", "a whole number from 0 on", came)


@BOOK.rule("routing.members", "§3: module catalogue")
async def answers_for_the_members_of_a_chain(probe: Probe) -> None:
    """A module of a chain may be asked by its own name, and is then the only one that is tried."""
    for module in ("OCR_GROQ", "ASR_GROQ"):
        answer = await probe.ask(_leaf(module))
        code = answer.at("failure", "code")
        tried = [attempt.get("module") for attempt in _attempts(answer)]
        hold(answer, code != "MODULE_UNKNOWN" and tried == [module], "routing.attempts", [module], tried)


def _leaf(module: str) -> samples.Json:
    head = next(head for head, chain in samples.CHAINS.items() if module in chain)
    return {**samples.good(head), "routing": {"module": module, "version": "1.0"}}


def _answered(answers: Any) -> list[Answer]:
    found = [each for each in answers if isinstance(each.delivery.output, dict) and each.at("status") != "ERROR"]
    if not found:
        raise NotJudged("no module gave a result")
    return found


def _named(attempt: Any) -> Any:
    return attempt.get("module", NOTHING) if isinstance(attempt, dict) else attempt


def _attempts(answer: Answer) -> list[dict[str, Any]]:
    attempts = answer.at("routing", "attempts")
    if not isinstance(attempts, list) or not all(isinstance(attempt, dict) for attempt in attempts):
        raise NotJudged("routing.attempts is no list of objects; see routing.attempts")
    return attempts
