"""The rules for GRACE: the fake keeps all of them, and each of many small mistakes breaks its own and no other."""

from __future__ import annotations

import hashlib
import json
import shlex
from typing import Any

import httpx
import pytest

from tests.tzzr_scenarios.conform.asking import Json, Mistake, broken, judged, probing
from tzzr_scenarios.conform.grace import BOOK

_ZERO = "00000000-0000-4000-8000-000000000000"


def module(asked: Json) -> str:
    """The module that was asked."""
    return str(asked.get("routing", {}).get("module", ""))


def set_in(path: str, value: Any, of: str = "") -> Any:
    """Tells another value in every answer of a module, or of all."""

    def told(asked: Json, response: Json) -> None:
        found: Any = response
        *above, last = path.split(".")
        for name in above:
            found = (found.get(name) if isinstance(found, dict) else None) or {}
        if (not of or module(asked) == of) and isinstance(found, dict) and last in found:
            found[last] = value(found[last]) if callable(value) else value

    return told


def _fewer_alternatives(asked: Json, response: Json) -> None:
    if module(asked) == "CLASSIFIER" and response["result"]:
        response["result"]["alternatives"] = response["result"]["alternatives"][:-1]


def _scaled(asked: Json, response: Json) -> None:
    if module(asked) == "EMBEDDINGS" and response["result"]:
        vectors = response["result"]["vectors"]
        response["result"]["vectors"] = [[number * 1.01 for number in vector] for vector in vectors]


def _shorter_blake(asked: Json, response: Json) -> None:
    if asked["payload"].get("params") == {"algorithm": "blake2b"} and response["result"]:
        content = asked["payload"]["content"].encode()
        response["result"]["digest"] = hashlib.blake2b(content, digest_size=32).hexdigest()


def _characters(asked: Json, response: Json) -> None:
    if module(asked) == "HASHER" and response["result"] and asked["payload"]["type"] == "text":
        response["result"]["size_bytes"] = len(asked["payload"]["content"])


def _code_units(asked: Json, response: Json) -> None:
    for field in (response["result"] or {}).get("fields", ()) if module(asked) == "FIELD_EXTRACTOR" else ():
        if field["span"]:
            field["span"] = [place + 1 for place in field["span"]]


def _decimal_comma(asked: Json, response: Json) -> None:
    for field in (response["result"] or {}).get("fields", ()) if module(asked) == "FIELD_EXTRACTOR" else ():
        if field["name"] in ("total", "base_imponible") and field["value"]:
            field["value"] = field["value"].replace(".", ",")


def _named_as_asked(asked: Json, response: Json) -> None:
    for attempt in response["routing"]["attempts"] if module(asked) == "ASR_ENGINE" else ():
        attempt["module"] = "ASR_ENGINE"


def _stamped_before(asked: Json, response: Json) -> None:
    if asked["envelope"]["trace_id"].startswith("6f1c7a52"):
        response["envelope"]["trace_id"] = _ZERO


def _with_error(asked: Json, response: Json) -> None:
    response["error"] = None


def _retryable(asked: Json, response: Json) -> None:
    if response["failure"] and response["failure"]["code"] == "PARAMS_INVALID":
        response["failure"]["retryable"] = True


def _without_pointers(asked: Json, response: Json) -> None:
    if response["failure"] and response["failure"]["code"] == "CONTRACT_INVALID":
        response["failure"]["details"] = {"errors": ["something is wrong"]}


def _digest_unseen(asked: Json) -> None:
    if asked["payload"].get("sha256") == "0" * 64:
        asked["payload"]["sha256"] = hashlib.sha256(_decoded(asked)).hexdigest()


def _decoded(asked: Json) -> bytes:
    import base64  # noqa: PLC0415 - beside its one use

    return base64.b64decode(asked["payload"]["content"])


def _lenient_reader(asked: Json) -> None:
    asked.pop("priority", None)
    asked.get("payload", {}).pop("lang", None)


def _any_version(asked: Json) -> None:
    asked["contract_version"] = "2.1"


def _job_not_found(request: httpx.Request, reply: httpx.Response) -> httpx.Response:
    if reply.status_code != 404:
        return reply
    return httpx.Response(200, json={"id": "x", "status": "FAILED", "error": "Job ID not found"})


def _plain_text(request: httpx.Request, reply: httpx.Response) -> httpx.Response:
    if request.url.path.endswith("/health") and reply.status_code == 200:
        return httpx.Response(200, content=reply.content, headers={"content-type": "text/plain"})
    return reply


def _open_door(request: httpx.Request, reply: httpx.Response) -> httpx.Response:
    return httpx.Response(200, json={"jobs": {"a": 1}, "workers": {"a": 1}}) if reply.status_code == 401 else reply


MISTAKES = [
    Mistake("form.version", told=set_in("contract_version", "2.0")),
    Mistake("form.no-error", told=_with_error),
    Mistake("form.profile", told=set_in("profile", "LITE")),
    Mistake("envelope.trace", told=set_in("envelope.trace_id", _ZERO)),
    Mistake("envelope.timestamp", told=set_in("envelope.timestamp", "2026-01-04T10:15:30Z")),
    Mistake("metrics.simulated", told=set_in("metrics.simulated", "yes")),
    Mistake("metrics.duration", told=set_in("metrics.duration_ms", 0.5)),
    Mistake("routing.resolved", told=set_in("routing.resolved", lambda who: who and "OCR_CORE", "OCR_CORE")),
    Mistake("routing.attempts", told=_named_as_asked),
    Mistake("routing.version", told=set_in("routing.version", "1")),
    Mistake("failure.retryable", told=_retryable),
    Mistake("failure.message", told=set_in("failure.message", "")),
    Mistake("classifier.sum", told=_fewer_alternatives),
    Mistake("embeddings.norm", told=_scaled),
    Mistake("hasher.algorithms", told=_shorter_blake),
    Mistake("hasher.size", told=_characters),
    Mistake("fields.spans", told=_code_units),
    Mistake("fields.amounts", told=_decimal_comma),
    Mistake("asr.duration", told=set_in("result.duration_s", lambda seconds: seconds * 1000, "ASR_ENGINE")),
    Mistake(
        "tts.audio", told=set_in("result.audio_base64", lambda text: f"data:audio/wav;base64,{text}", "TTS_ENGINE")
    ),
    Mistake("lang-detect.form", told=set_in("result.language", "es-ES", "LANG_DETECT")),
    Mistake("caption.size", told=set_in("result.width_px", 64, "IMAGE_CAPTION")),
    Mistake("repeats.stamp", told=_stamped_before),
    Mistake("refuses.digest", asked=_digest_unseen),
    Mistake("refuses.unknown-field", asked=_lenient_reader),
    Mistake("refuses.version", asked=_any_version),
    Mistake("refuses.pointer", told=_without_pointers),
    Mistake("door.unknown-job", reply=_job_not_found),
    Mistake("door.json", reply=_plain_text),
    Mistake("door.key", reply=_open_door),
]


async def test_the_fake_keeps_every_rule() -> None:
    async with probing() as probe:
        verdicts = await judged(probe)

    assert [verdict.name for verdict in verdicts if verdict.outcome != "passed"] == []
    assert len(verdicts) >= 130


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.rule)
async def test_a_mistake_breaks_its_rule_and_no_other(mistake: Mistake) -> None:
    async with probing(mistake) as probe:
        assert broken(await judged(probe)) == [mistake.rule]


async def test_every_verdict_shows_its_request_and_no_key() -> None:
    async with probing() as probe:
        verdicts = await judged(probe)
        secret = probe.line.secret or ""

    for verdict in verdicts:
        words = shlex.split(verdict.request)
        assert words[:2] == ["curl", "-g"], verdict.rule
        assert secret not in verdict.request
    [shown] = [verdict for verdict in verdicts if verdict.rule == "hasher.default"]
    words = shlex.split(shown.request)
    assert "authorization: Bearer ${RUNPOD_API_KEY}" in words
    assert json.loads(words[words.index("--data-raw") + 1])["input"]["routing"]["module"] == "HASHER"


async def test_what_changes_something_is_left_out_unless_told() -> None:
    from tzzr_scenarios.conform.judge import verdicts  # noqa: PLC0415 - the one use

    async with probing() as probe:
        told = [each async for each in verdicts(probe, [rule for rule in BOOK if rule.changes])]

    assert [(each.rule, each.outcome) for each in told] == [("door.cancel", "left out")]
    assert "--changes" in told[0].reason
